import { firstIdAt } from '../../kit/index.ts'
import type { PageAfter } from '../../storage/index.ts'

const UUID_LENGTH = 36

/** The ids of purchases and of ends begin with an id of ours, and are longer. */
export function uuidIn({ id }: PageAfter): string {
  return id.slice(0, UUID_LENGTH)
}

/** An upper bound for ids after this cursor: the id that it begins with is smaller if there is more behind it. */
export function upTo(after: PageAfter): string {
  return after.id.length > UUID_LENGTH ? `${uuidIn(after)}0` : after.id
}

/** The position of a time among ids, which are made in its order: exactly the later ones are smaller in the list's order. */
export function idBefore(after: PageAfter): string {
  const [first, next] = [firstIdAt(Number(after.value)), firstIdAt(Number(after.value) + 1)]
  const id = upTo(after)
  if (id < first) return first
  return id > next ? next : id
}
