import { applyForwardAuth, type ForwardAuthRefusal } from '../../../forward-auth/index.ts'
import { applyProductChange, holdProduct, insertProduct, type Product, type ProductRefusal, productStore } from '../../../products/index.ts'
import { type Transaction, takeLockOnGrace } from '../../../storage/index.ts'
import { applyProductEdit } from '../../products/edit-product.ts'
import { isOfForwardAuth } from '../../products/product-refusals.ts'
import { uriOf } from '../form/canonical.ts'
import type { ProductConfiguration } from '../form/configuration.ts'
import { afterwards, editOf, newProduct } from './product-edit.ts'
import { ownDifferences, type Step } from './step.ts'

/** A product that was made. Its API key is shown this once. */
export interface MadeProduct {
  slug: string
  publishableKey: string
  apiKey: string
  webhookKey: string
}

type Entry = [slug: string, product: ProductConfiguration, is: Product['id'] | undefined]

function entries({ declared, current }: Pick<Step, 'declared' | 'current'>): Entry[] {
  return Object.entries(declared.products ?? {}).map(([slug, product]) => [slug, product, current.objects.get(`products.${slug}`)?.id])
}

/** Takes the locks on days of grace that will change: before any product's row, and in one order. */
export async function lockGrace(tx: Transaction, step: Step): Promise<void> {
  const ids = entries(step).flatMap(([slug, , id]) =>
    id !== undefined && ownDifferences(step, `products.${slug}`).has('grace_days') ? [id] : [],
  )
  for (const id of ids.toSorted()) await takeLockOnGrace(tx, id, { does: 'change', address: step.deps.storage.address })
}

/** Removes addresses and hosts that move from one product to another: each is registered for one product at a time. */
export async function freeAddresses(tx: Transaction, step: Step): Promise<void> {
  for (const [slug, product, id] of entries(step)) {
    if (id === undefined) continue
    const others = entries(step).filter(([other]) => other !== slug)
    const is = step.current.configuration.products?.[slug]
    const [uris, hosts] = [urisOf(is), is?.forward_auth?.hosts ?? []]
    const leaving = product.redirect_uris && uris.filter((uri) => !urisOf(product).includes(uri))
    const moving = leaving?.filter((uri) => others.some(([, other]) => urisOf(other).includes(uri))) ?? []
    const kept = product.forward_auth === null ? [] : product.forward_auth?.hosts
    const movingHosts = kept
      ? hosts.filter((host) => !kept.includes(host) && others.some(([, other]) => other.forward_auth?.hosts?.includes(host)))
      : []
    const refuse = refusalOf(slug, step)
    if (moving.length > 0) await applyProductChange(tx, await held(tx, id), { removeUris: moving }, { ...step.deps, refuse })
    if (movingHosts.length > 0) await applyForwardAuth(tx, await held(tx, id), { removeHosts: movingHosts }, { ...step.deps, refuse })
  }
}

export async function addProducts(tx: Transaction, step: Step): Promise<MadeProduct[]> {
  const made: MadeProduct[] = []
  for (const [slug, product, id] of entries(step)) {
    if (id !== undefined) continue
    const {
      product: added,
      apiKey,
      webhookKey,
    } = await insertProduct(tx, newProduct(slug, product), { ...step.deps, refuse: refusalOf(slug, step) })
    made.push({ slug, publishableKey: added.publishableKey, apiKey, webhookKey })
    await edit(tx, added.id, { slug, product, fields: new Set(afterwards(product).filter((field) => field !== 'forward_auth')) }, step)
  }
  return made
}

/** Changes what differs, and gives new products the rules that name plans. */
export async function changeProducts(tx: Transaction, step: Step): Promise<void> {
  for (const [slug, product, id] of entries(step)) {
    const fields = id === undefined ? new Set(product.forward_auth ? ['forward_auth'] : []) : ownDifferences(step, `products.${slug}`)
    const productId = id ?? (await productStore(tx).findBySlug(slug))?.id
    if (productId === undefined) throw new Error(`${slug} was added and is not there`)
    await edit(tx, productId, { slug, product, fields }, step)
  }
}

async function edit(
  tx: Transaction,
  id: string,
  { slug, product, fields }: { slug: string; product: ProductConfiguration; fields: ReadonlySet<string> },
  step: Step,
): Promise<void> {
  const wanted = editOf(product, fields)
  const isNothing = Object.keys(wanted).length === 1 && Object.keys(wanted.change).length === 0
  if (!isNothing) await applyProductEdit(tx, await held(tx, id), wanted, { ...step.deps, refuse: refusalOf(slug, step) })
}

function urisOf(product: ProductConfiguration | undefined): string[] {
  return (product?.redirect_uris ?? []).map(uriOf)
}

function refusalOf(slug: string, { fail }: Step): (why: ProductRefusal | ForwardAuthRefusal) => never {
  const path = `products.${slug}`
  return (why) => fail(isOfForwardAuth(why) ? { path, refusal: 'forward_auth_refused', why } : { path, refusal: 'product_refused', why })
}

async function held(tx: Transaction, id: string): Promise<Product> {
  const product = await holdProduct(tx, id)
  if (!product) throw new Error('a product that was just read is not there')
  return product
}
