"""Reading orders: from the lines of a letter to an order sheet, and to the order it leads to."""
