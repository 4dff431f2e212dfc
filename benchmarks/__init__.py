"""What the referee costs, as ratios measured side by side in one run; `make bench` prints them."""
