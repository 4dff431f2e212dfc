"""What players read of a battle: reports, their facts and pictures, receipts of dice."""
