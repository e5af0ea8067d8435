"""What the model promises, the database keeps: answers and ledger lines stay as they were written.

PostgreSQL refuses updates and deletes; SQLite refuses updates (its deletes are refused by the
model alone, because the test runner empties tables with DELETE). Erasing a whole project is a
deliberate act: `SET LOCAL touchstone.erase = 'on'` in its transaction opens the door.
"""

POSTGRESQL = [
    """
    CREATE FUNCTION touchstone_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF current_setting('touchstone.erase', true) = 'on' AND TG_OP = 'DELETE' THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION '% rows are never changed or deleted', TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    """
    CREATE FUNCTION touchstone_refuse_amounts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF ROW(NEW.id, NEW.worker_id, NEW.campaign_id, NEW.assignment_id, NEW.kind, NEW.mills,
               NEW.currency, NEW.created_at)
           IS DISTINCT FROM
           ROW(OLD.id, OLD.worker_id, OLD.campaign_id, OLD.assignment_id, OLD.kind, OLD.mills,
               OLD.currency, OLD.created_at) THEN
            RAISE EXCEPTION 'the ledger is append-only: write a correcting line'
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER response_is_immutable BEFORE UPDATE OR DELETE ON annotation_response
    FOR EACH ROW EXECUTE FUNCTION touchstone_refuse()
    """,
    """
    CREATE TRIGGER ledger_keeps_lines BEFORE DELETE ON annotation_payment
    FOR EACH ROW EXECUTE FUNCTION touchstone_refuse()
    """,
    """
    CREATE TRIGGER ledger_keeps_amounts BEFORE UPDATE ON annotation_payment
    FOR EACH ROW EXECUTE FUNCTION touchstone_refuse_amounts()
    """,
    # Counters change often and no index holds them: room on the page keeps the row in place.
    """ALTER TABLE annotation_demand
       SET (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02)""",
    """ALTER TABLE annotation_assignment
       SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02)""",
    "ALTER TABLE annotation_enrollment SET (fillfactor = 75)",
]
POSTGRESQL_BACK = [
    "ALTER TABLE annotation_enrollment RESET (fillfactor)",
    "ALTER TABLE annotation_assignment RESET (fillfactor, autovacuum_vacuum_scale_factor)",
    "ALTER TABLE annotation_demand RESET (fillfactor, autovacuum_vacuum_scale_factor)",
    "DROP TRIGGER ledger_keeps_amounts ON annotation_payment",
    "DROP TRIGGER ledger_keeps_lines ON annotation_payment",
    "DROP TRIGGER response_is_immutable ON annotation_response",
    "DROP FUNCTION touchstone_refuse_amounts",
    "DROP FUNCTION touchstone_refuse",
]
SQLITE = [
    """
    CREATE TRIGGER response_is_immutable BEFORE UPDATE ON annotation_response
    BEGIN SELECT RAISE(ABORT, 'annotation_response rows are never changed or deleted'); END
    """,
    """
    CREATE TRIGGER ledger_keeps_amounts BEFORE UPDATE OF
        id, worker_id, campaign_id, assignment_id, kind, mills, currency, created_at
    ON annotation_payment
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: write a correcting line'); END
    """,
]
SQLITE_BACK = ["DROP TRIGGER ledger_keeps_amounts", "DROP TRIGGER response_is_immutable"]


def keep_rows(apps, schema_editor):
    _execute(schema_editor, {"postgresql": POSTGRESQL, "sqlite": SQLITE})


def drop_triggers(apps, schema_editor):
    _execute(schema_editor, {"postgresql": POSTGRESQL_BACK, "sqlite": SQLITE_BACK})


def _execute(schema_editor, statements_of):
    for statement in statements_of[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)  # no parameters: % is itself
