import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { activated, completed, signed } from './purchases.ts'

/** A notification that a checkout has to deliver, and what it is about. */
interface Sale {
  /** As it goes over the wire, the same each time. */
  sent: string
  /** The hash of the signed text, with which the service ends the notification's digest. */
  hash: string
  email: string
}

/** The state of the operator's checkout: the notifications that the service has confirmed, and those to be sent again. */
export interface Book {
  /** By hash. */
  acknowledged: Map<string, Sale>
  /** Sent without an answer, or refused for now. */
  open: Sale[]
  /** How many answers came of each status. */
  answers: Map<number, number>
}

export function newBook(): Book {
  return { acknowledged: new Map(), open: [], answers: new Map() }
}

/**
 * Sells until the service is gone, or `isOver`: to guests and to known users, to some of them again and again, in both variants. Some sales
 * are sent twice at once. Unanswered ones are sent first.
 */
export async function sell(
  url: string,
  { book, productId, known, isOver = () => false }: { book: Book; productId: string; known: readonly string[]; isOver?: () => boolean },
): Promise<void> {
  while (!isOver()) {
    const sale = book.open.shift() ?? newSale({ productId, known })
    const times = Math.random() < 0.2 ? 2 : 1
    await Promise.all(Array.from({ length: times }, () => deliver(url, sale, book)))
  }
}

/** Sends everything that is still open, and some of what is received already. */
export async function sendAgain(url: string, book: Book): Promise<void> {
  book.open.push(...[...book.acknowledged.values()].slice(-50))
  for (let sale = book.open.shift(); sale; sale = book.open.shift()) await deliver(url, sale, book)
}

async function deliver(url: string, sale: Sale, { acknowledged, open, answers }: Book): Promise<void> {
  let status = 0
  try {
    status = await post(url, sale.sent)
  } finally {
    if (status !== 200 && !acknowledged.has(sale.hash)) open.push(sale)
  }
  answers.set(status, (answers.get(status) ?? 0) + 1)
  if (status === 200) acknowledged.set(sale.hash, sale)
  else await new Promise((resolve) => setTimeout(resolve, 20))
}

/** A refusal must be one that asks for another try, and says when, and nothing of what is the matter. */
async function post(url: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/webhook/payment`, { method: 'POST', headers, body })
  const text = await answer.text()
  if (answer.status === 200) {
    assert.equal(text, '{"received":true}')
    return 200
  }
  assert.equal(answer.status, 503, text)
  assert.ok(Number(answer.headers.get('retry-after')) >= 1)
  assert.match(text, /^\{"error":"[^"]+"\}$/)
  assert.doesNotMatch(text, /ECONN|postgres|sqlite|127\.0\.0\.1/i)
  return 503
}

function newSale({ productId, known }: { productId: string; known: readonly string[] }): Sale {
  const email = (Math.random() < 0.3 && known[Math.floor(Math.random() * known.length)]) || `${randomUUID()}@exemplo.com.br`
  const body = Math.random() < 0.5 ? completed({ email, productId }) : activated({ email, product_id: productId })
  return { sent: signed(body), hash: createHash('sha256').update(JSON.stringify(body)).digest('base64url'), email }
}
