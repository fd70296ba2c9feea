/**
 * These fields stay in a notification whose buyer is forgotten, by the last part of their names without `_`: the kind of event, the ids
 * of things, amounts and times.
 */
const FIELDS = 'event type action object status currency currencyid billingtype planslug frequency istest livemode deleted'
const IDS = 'id subscriptionid productid paymentid subscription payment paymentintent paymentlink charge invoice order price preapprovalid'
const TIMES = 'timestamp startedat created createdat datecreated duedate paymentdate confirmeddate start end currentperiodend'
const AMOUNTS = 'amount amountpaid amounttotal amountrefunded value netvalue transactionamount transactionamountrefunded'

const KEPT: ReadonlySet<string> = new Set(`${FIELDS} ${IDS} ${TIMES}`.split(' '))
const KEPT_AS_NUMBER: ReadonlySet<string> = new Set(AMOUNTS.split(' '))

/** Objects about the person alone. Their ids go too: some senders use a tax id for one. */
const OF_BUYER: ReadonlySet<string> = new Set('customer buyer payer user person company'.split(' '))
/** A name of a field, where data is used as one: an address does not pass. */
const NAME = /^\w{1,60}$/

/** No spaces but in a time, and no `@`: neither a name nor an address passes. */
const PLAIN = /^(?:[\w.:+&/-]{1,100}|[\d :.-]{1,30})$/

/**
 * The text of a notification without anything personal. Each object keeps the fields above, if they hold a value of the expected form.
 * Everything else goes.
 */
export function scrubPayload(payload: string): string {
  return JSON.stringify(scrub(parse(payload)) ?? {})
}

/** The same for the query that came with it: `data.id` and its like, by which a gateway is asked. */
export function scrubQuery(query: string): string {
  return new URLSearchParams([...new URLSearchParams(query)].filter(([key, value]) => isKeptInQuery(key, value))).toString()
}

function isKeptInQuery(key: string, value: string): boolean {
  const names = key.split('.')
  const isOfThing = names.every((name) => NAME.test(name) && !OF_BUYER.has(plainName(name)))
  return isOfThing && isPlainField(plainName(names.at(-1) ?? ''), value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a text that is not JSON is dropped whole
  }
}

function scrub(value: unknown): unknown {
  if (Array.isArray(value)) return nonEmpty(value.map(scrub).filter((inner) => inner !== undefined))
  if (typeof value !== 'object' || value === null) return undefined
  return nonEmpty(Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => keep(key, inner))))
}

function keep(key: string, value: unknown): Array<[string, unknown]> {
  const name = plainName(key)
  if (!NAME.test(key) || OF_BUYER.has(name)) return []
  const isPlain = isPlainField(name, value)
  const kept = isPlain ? value : scrub(value)
  return kept === undefined ? [] : [[key, kept]]
}

function plainName(key: string): string {
  return key.replaceAll('_', '').toLowerCase()
}

function isPlainField(name: string, value: unknown): boolean {
  if (typeof value === 'number') return KEPT.has(name) || KEPT_AS_NUMBER.has(name)
  if (typeof value === 'boolean') return KEPT.has(name)
  return typeof value === 'string' && KEPT.has(name) && PLAIN.test(value)
}

function nonEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value
}
