// Package sqltest tests the SQL store of package viewstate against SQLite and PostgreSQL.
package sqltest
