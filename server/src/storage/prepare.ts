import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Queryable } from './open.ts'
import { notePrepared, type Planned } from './prepared-texts.ts'
import { rawConnectionOf } from './transactions/raw-connection.ts'

/** A placeholder while a statement is built: for the value of a name, or of a position in the list. */
class Placeholder {
  readonly of: string | number
  constructor(of: string | number) {
    this.of = of
  }
}

/** One statement, as each database compiles it, and what stands in the place of each parameter. */
interface Prepared<Row> {
  statement: CompiledQuery<Row>
  places: ReadonlyArray<{ name: string } | { at: number } | { value: unknown }>
}
type Compiled<Row> = WeakMap<object, Prepared<Row>>

/**
 * A statement that is built and compiled once on each database, and then run with other values. It is for the few statements that run
 * thousands of times a second: building one takes Kysely longer than running it takes SQLite. PostgreSQL keeps it with its plan, so it
 * finds its rows by key, whatever the values are, or says that it does not (`planned`). Inside a transaction it goes to the connection
 * itself (`raw-connection.ts`). `build` must only place the values, never look at them.
 */
export function prepare<Values extends object, Row>(
  build: (db: Queryable, values: Values) => Compilable<Row>,
  planned: Planned = 'once',
): (db: Queryable, values: Values) => Promise<QueryResult<Row>> {
  const compiled: Compiled<Row> = new WeakMap()
  return (db, values) => run(db, { compiled, planned, build: () => build(db, standIns as Values) }, values, [])
}

/** Longer lists are rare, and each length is a statement of its own. */
const LONGEST_LIST = 24

/** The same with a list beside the values. `build` may look at the list's length. PostgreSQL keeps it in transactions alone. */
export function prepareWithList<Values extends object, Row>(
  build: (db: Queryable, values: Values, list: readonly string[]) => Compilable<Row>,
): (db: Queryable, values: Values, list: readonly string[]) => Promise<QueryResult<Row>> {
  const ofLength = Array.from({ length: LONGEST_LIST + 1 }, (): Compiled<Row> => new WeakMap())
  return (db, values, list) => {
    const compiled = ofLength[list.length]
    if (!compiled) return db.executeQuery(build(db, values, list))
    const places = () => list.map((_, place) => new Placeholder(place)) as readonly unknown[] as readonly string[]
    return run(db, { compiled, planned: undefined, build: () => build(db, standIns as Values, places()) }, values, list)
  }
}

const standIns = new Proxy(
  {},
  {
    get: (_target, name) => new Placeholder(String(name)),
    // A spread, and the rest of a pattern, would take nothing along: which values there are is known at no time.
    ownKeys: () => {
      throw new TypeError('the values of a prepared statement are named one by one: neither spread them nor take the rest of them')
    },
  },
)

function run<Row>(
  db: Queryable,
  { compiled, planned, build }: { compiled: Compiled<Row>; planned: Planned | undefined; build: () => Compilable<Row> },
  values: object,
  list: readonly string[],
): Promise<QueryResult<Row>> {
  const executor = db.getExecutor()
  const { adapter } = executor
  const known = compiled.get(adapter)
  const prepared = known ?? compile(build(), planned)
  if (!known) compiled.set(adapter, prepared)
  const { sql, query, queryId } = prepared.statement
  const parameters: unknown[] = []
  for (const place of prepared.places) {
    if ('name' in place) parameters.push(Reflect.get(values, place.name))
    else parameters.push('at' in place ? list[place.at] : place.value)
  }
  const connection = rawConnectionOf(db)
  // The guard of the root handle (`root-handle.ts`) looks at queries as they are built.
  if (!connection) executor.transformQuery(query, queryId)
  return (connection ?? db).executeQuery({ sql, query, queryId, parameters })
}

function compile<Row>(built: Compilable<Row>, planned: Planned | undefined): Prepared<Row> {
  const statement = built.compile()
  if (planned) notePrepared(statement.sql, planned)
  const places = statement.parameters.map((value) => {
    if (!(value instanceof Placeholder)) return { value }
    return typeof value.of === 'number' ? { at: value.of } : { name: value.of }
  })
  return { statement, places }
}
