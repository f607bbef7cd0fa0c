-- Who may do what in the database of an office:
--
--     pbem_owner    has the tables, and alters them: pbem db upgrade
--     pbem_office   is the office: pbem run, web, worker.  It adds to the log, and can take nothing from it
--
-- A superuser runs it in the database when pbem_owner has made the tables there, and once is enough: tables of later
-- versions are then for the office too.  Again does no harm.
--
--     psql -X -v ON_ERROR_STOP=1 -f roles.sql pbem
--
-- OFFICE_PASSWORD in the environment is the office's password from then on.

\getenv password OFFICE_PASSWORD

SELECT 'CREATE ROLE pbem_office LOGIN'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'pbem_office') \gexec
\if :{?password}
ALTER ROLE pbem_office PASSWORD :'password';
\endif

BEGIN;

GRANT USAGE ON SCHEMA public TO pbem_office;

-- All rows, those of Procrastinate among them; but of the log it only adds some, and of the version it only reads.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO pbem_office;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO pbem_office;
REVOKE UPDATE, DELETE ON event FROM pbem_office;
REVOKE INSERT, UPDATE, DELETE ON alembic_version FROM pbem_office;

ALTER DEFAULT PRIVILEGES FOR ROLE pbem_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO pbem_office;
ALTER DEFAULT PRIVILEGES FOR ROLE pbem_owner IN SCHEMA public
  GRANT USAGE ON SEQUENCES TO pbem_office;

COMMIT;
