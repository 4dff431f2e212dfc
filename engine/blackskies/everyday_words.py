"""What people say for the cards, and for firing, in English and German."""

from engine.i18n import say
from engine.orders.everyday import Everyday

EVERYDAY = Everyday(
    {
        say(
            "fighters fire by themselves after each card; TARGETS behind it says at whom first, as"
            " in STEADY; TARGETS Blue"
        ): "shoot;attack;fire;open fire;fire at will;fire everything;fire lasers;fire guns;blast;"
        "shoot at him;schießen;schieße;schieß;feuer;feuern;feuer frei;angreifen;angriff;greif an;"
        "ballern",
        "ACCELERATE 1": "closer;move closer;get closer;go closer;come closer;fly closer;close in;"
        "approach;advance;move in;chase;pursue;faster;speed up;go faster;näher;näher ran;"
        "näher heran;komm näher;geh näher;geh näher ran;flieg näher;ranfliegen;verfolgen;"
        "flieg schneller",
        "DECELERATE": "slower;slow down;go slower;brake;flieg langsamer",
        "WITHDRAW": "run away;run;flee;escape;retreat;fall back;back off;move away;get away;"
        "get out;disengage;leave;leave the battle;weglaufen;abhauen;hau ab;lauf weg;fliehen;"
        "flieh;flucht;wegfliegen;flieg weg",
        "HARD LEFT or HARD RIGHT": "dodge;evade;evasive action;take evasive action;weave;"
        "evasive maneuvers;turn around;ausweichen;weich aus;ausweichmanöver;umdrehen;dreh um",
        "STEADY": "hold;straight ahead;fly straight;keep going;go on;pass;skip;stay;do nothing;"
        "weiter so;weiter geradeaus;nichts tun;aussetzen;abwarten",
        "SURRENDER": "give up;yield;i give up;i surrender;ich gebe auf;ich ergebe mich",
    }
)
