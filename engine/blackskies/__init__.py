"""Black Skies: elements of star fighters on a plane, flown by secret cards (BS-1 to BS-28)."""
