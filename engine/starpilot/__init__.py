"""StarPilot 3.1: duels and team battles between star pilots, as ruled in SP-1 to SP-36."""
