DROP TABLE payment_note_files;
DROP TABLE payment_notes;
