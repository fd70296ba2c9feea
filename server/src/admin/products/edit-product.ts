import type { Actor } from '../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../changes/index.ts'
import { applyForwardAuth, type ForwardAuthChange, type ForwardAuthPlace, type ForwardAuthRefusal } from '../../forward-auth/index.ts'
import type { Now, Sealer } from '../../kit/index.ts'
import {
  applyProductChange,
  type ForwardAuth,
  holdProduct,
  insertProduct,
  type NewProduct,
  type Product,
  type ProductChange,
  type ProductCreated,
  type ProductRefusal,
  type ProductSettings,
  productVersion,
  redirectUriStore,
} from '../../products/index.ts'
import { rollBackRefusals, type Storage, type Transaction, takeLockOnGrace } from '../../storage/index.ts'
import { applyGrace, type Method } from '../../subscriptions/index.ts'
import { readProductSettings } from './product-json.ts'

type RedirectUris = ProductSettings['redirectUris']

/** An editor's form: `redirectUris` is the complete new list. An absent field stays as it is. */
export interface ProductEdit {
  change: Omit<ProductChange, 'addUris' | 'removeUris'>
  redirectUris?: RedirectUris
  graceDays?: ReadonlyArray<{ method: Method; days: number }>
  forwardAuth?: ForwardAuthChange | 'off'
}

interface CreateDeps {
  changes: ChangeFeed
  sealer: Sealer
  now: Now
  actor: Actor
  cookieDomain: string | undefined
  baseUrl: string
}

/** Registers a product, with its rule for a proxy where one is given: both or nothing. */
export async function createWithRule(
  input: NewProduct,
  forwardAuth: ForwardAuth | undefined,
  { changes, sealer, now, actor, cookieDomain, baseUrl }: CreateDeps,
): Promise<ProductCreated | ProductRefusal | ForwardAuthRefusal> {
  return rollBackRefusals<ProductCreated, ProductRefusal | ForwardAuthRefusal>((refuse) =>
    changes.transaction(async (tx, announce) => {
      const at = now()
      const made = await insertProduct(tx, input, { refuse, announce, sealer, at, actor })
      if (forwardAuth) await applyForwardAuth(tx, made.product, forwardAuth, { refuse, announce, at, actor, cookieDomain, baseUrl })
      return made
    }),
  )
}

interface EditDeps extends Omit<CreateDeps, 'sealer'> {
  storage: Storage
  seen: string | undefined
}

/**
 * Changes a product, all of it or nothing. `seen` is the version in the editor's copy (`productVersion`); a newer one refuses the change.
 */
export async function editProduct(
  id: string,
  edit: ProductEdit,
  { storage, changes, now, seen, ...deps }: EditDeps,
): Promise<Product | ProductRefusal | ForwardAuthRefusal> {
  return rollBackRefusals<Product, ProductRefusal | ForwardAuthRefusal>((refuse) =>
    changes.transaction(async (tx, announce) => {
      // Before the product's row: the order in which every transaction holds the two.
      if (edit.graceDays && edit.graceDays.length > 0) await takeLockOnGrace(tx, id, { does: 'change', address: storage.address })
      const before = (await holdProduct(tx, id)) ?? refuse({ refusal: 'not_found' })
      if (seen !== undefined && productVersion(await readProductSettings(before, tx)) !== seen) refuse({ refusal: 'changed_meanwhile' })
      return applyProductEdit(tx, before, edit, { ...deps, refuse, announce, at: now() })
    }),
  )
}

interface WithinDeps extends ForwardAuthPlace {
  refuse: (refusal: ProductRefusal | ForwardAuthRefusal) => never
  announce: Announce
  at: number
  actor: Actor
}

/**
 * The same within a transaction that changes more, holds the product and, where days of grace change, the lock on them. A refusal must
 * roll it back (`rollBackRefusals`).
 */
export async function applyProductEdit(
  tx: Transaction,
  before: Product,
  { change, redirectUris, graceDays = [], forwardAuth }: ProductEdit,
  deps: WithinDeps,
): Promise<Product> {
  const registered = redirectUris && (await redirectUriStore(tx).listRedirectUris(before.id))
  const wanted = { ...change, ...(registered && redirectUris && changeOfUris(registered, redirectUris)) }
  const after = Object.keys(wanted).length > 0 ? await applyProductChange(tx, before, wanted, deps) : before
  if (graceDays.length > 0) await applyGrace(tx, before, graceDays, deps)
  if (forwardAuth) await applyForwardAuth(tx, before, forwardAuth, deps)
  return after
}

/** An address that loses the operator's trust is removed and registered anew. */
function changeOfUris(before: RedirectUris, wanted: RedirectUris): Pick<ProductChange, 'addUris' | 'removeUris'> {
  const isIn = (uris: RedirectUris, one: RedirectUris[number]) =>
    uris.some(({ uri, trusted }) => uri === one.uri && trusted === one.trusted)
  const isWidened = ({ uri, trusted }: RedirectUris[number]) => !trusted && isIn(wanted, { uri, trusted: true })
  return {
    removeUris: before.filter((one) => !isIn(wanted, one) && !isWidened(one)).map(({ uri }) => uri),
    addUris: wanted.filter((one, at) => !isIn(before, one) || wanted.findIndex(({ uri }) => uri === one.uri) !== at),
  }
}
