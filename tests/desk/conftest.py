from tests.kit.offices import begun, careful, ford, table, twins

__all__ = ["begun", "careful", "ford", "table", "twins"]
