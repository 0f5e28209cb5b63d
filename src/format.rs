//! File formats: the table of formats, sniffing, and the scanner that finds elements.
