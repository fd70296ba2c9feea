import type { Actor } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import { applyForwardAuth, type ForwardAuthRefusal } from '../../forward-auth/index.ts'
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
} from '../../products/index.ts'
import { rollBackRefusals, type Storage, takeLockOnGrace } from '../../storage/index.ts'
import { applyGrace, type Method } from '../../subscriptions/index.ts'
import { readProductSettings } from './product-json.ts'

type RedirectUris = ProductSettings['redirectUris']

/** An editor's form: `redirectUris` is the complete new list. An absent field stays as it is. */
export interface ProductEdit {
  change: Omit<ProductChange, 'addUris' | 'removeUris'>
  redirectUris?: RedirectUris
  graceDays?: ReadonlyArray<{ method: Method; days: number }>
  forwardAuth?: ForwardAuth | 'off'
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
  { change, redirectUris, graceDays = [], forwardAuth }: ProductEdit,
  { storage, changes, now, actor, seen, cookieDomain, baseUrl }: EditDeps,
): Promise<Product | ProductRefusal | ForwardAuthRefusal> {
  return rollBackRefusals<Product, ProductRefusal | ForwardAuthRefusal>((refuse) =>
    changes.transaction(async (tx, announce) => {
      const at = now()
      // Before the product's row: the order in which every transaction holds the two.
      if (graceDays.length > 0) await takeLockOnGrace(tx, id, { does: 'change', address: storage.address })
      const before = (await holdProduct(tx, id)) ?? refuse({ refusal: 'not_found' })
      const settings = await readProductSettings(before, tx)
      if (seen !== undefined && productVersion(settings) !== seen) refuse({ refusal: 'changed_meanwhile' })
      const wanted = { ...change, ...(redirectUris && changeOfUris(settings.redirectUris, redirectUris)) }
      const isChange = Object.keys(wanted).length > 0
      const after = isChange ? await applyProductChange(tx, before, wanted, { refuse, announce, at, actor }) : before
      if (graceDays.length > 0) await applyGrace(tx, before, graceDays, { announce, at, actor })
      if (forwardAuth) await applyForwardAuth(tx, before, forwardAuth, { refuse, announce, at, actor, cookieDomain, baseUrl })
      return after
    }),
  )
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
