import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Queryable } from './open.ts'

/** What stands for a value while a statement is built. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement that is built and compiled once on each database, and then run with other values. For the few that run thousands of times a second: building one takes Kysely
 * longer than running it takes SQLite. `build` gets the values only to put them in their places: it must not look at them. Pass on a transaction that is under
 * way; the guard against the outer handle does not see these.
 */
export function prepare<Values extends object, Row>(
  build: (db: Queryable, values: Values) => Compilable<Row>,
): (db: Queryable, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) }) as Values
  return (db, values) => {
    const { adapter } = db.getExecutor()
    const known = compiled.get(adapter)
    const statement = known ?? build(db, placeholders).compile()
    if (!known) compiled.set(adapter, statement)
    const given = new Map<string, unknown>(Object.entries(values))
    const parameters = statement.parameters.map((parameter) => (parameter instanceof Placeholder ? given.get(parameter.name) : parameter))
    return db.executeQuery({ ...statement, parameters })
  }
}
