DROP TABLE saved_views;
DROP TABLE staff_profiles;
