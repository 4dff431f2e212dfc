"""Pictures: charts as SVG, and SVG as PNG."""
