DROP TABLE blocks;
DROP TABLE site_tokens;
DROP TABLE sites;
DROP TABLE dealers;
DROP TABLE providers;
