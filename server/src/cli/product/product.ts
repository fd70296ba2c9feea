import type { Command } from 'commander'
import { productJson } from '../../admin/index.ts'
import { productStore } from '../../products/index.ts'
import type { CliContext } from '../command/cli-context.ts'
import { paragraphs } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addList, moreHint, type PageOptions, pageOf } from '../command/paging.ts'
import { addWhich, onProduct, type ProductOptions, showProduct } from './on-product.ts'
import { addCreate } from './product-create.ts'
import { addGatewayCredentials } from './product-credentials.ts'
import { addKeys } from './product-keys.ts'
import { addMatrix } from './product-matrix.ts'
import { addSet } from './product-set.ts'
import { addSnippet } from './product-snippet.ts'
import { productTable } from './product-view.ts'

/** `portaria product …`: the registered apps. */
export function productCommands(program: Command, cli: CliContext): void {
  const product = program.command('product').description('apps, their addresses and keys')
  addCreate(product, cli)
  addList(product, { summary: 'list products, oldest first', example: 'product list' }).action((options: PageOptions) =>
    cli.onDatabase(options, (context) => list(options, context)),
  )
  addWhich(product, 'show', { summary: 'show a product, its addresses and keys', example: 'product show academy' }).action(
    (slug: string | undefined, options: ProductOptions) => cli.print(options, onProduct(slug, options, cli, showProduct)),
  )
  addSet(product, cli)
  addKeys(product, cli)
  addMatrix(product, cli)
  addGatewayCredentials(product, cli)
  addSnippet(product, cli)
}

async function list(options: PageOptions, { storage }: CommandContext): Promise<Outcome> {
  const products = await productStore(storage.db).list(pageOf(options))
  return { json: products.map(productJson), text: paragraphs(productTable(products), moreHint(products, options)) }
}
