DROP TABLE invitations;
DROP TABLE sign_in_challenges;
DROP TABLE passkeys;
DROP TABLE staff_factors;
DROP TABLE sessions;
DROP TABLE staff;
