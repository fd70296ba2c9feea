import type { Command } from 'commander'
import type { AppContext } from '../../context.ts'
import {
  forwardAuthStore,
  type Product,
  redirectUriStore,
  SECRET_PLACEHOLDER,
  SNIPPET_DOORS,
  SNIPPET_KINDS,
  type Snippet,
  type SnippetKind,
  snippetKindsOf,
  writeSnippet,
} from '../../products/index.ts'
import type { CliContext } from '../command/cli-context.ts'
import { oneOf } from '../command/input.ts'
import { fields, paragraphs } from '../command/layout.ts'
import type { Outcome } from '../command/output.ts'
import { addWhich, onProduct, type ProductOptions } from './on-product.ts'

interface SnippetOptions extends ProductOptions {
  for?: SnippetKind
}

/** `portaria product snippet`: the lines to paste into an app or a proxy. */
export function addSnippet(product: Command, cli: CliContext): void {
  addWhich(product, 'snippet', {
    summary: 'print the lines that connect an app, with its own values in them',
    example: 'product snippet dashboards --for grafana',
  })
    .option('--for <app>', `the app or proxy: ${SNIPPET_KINDS.join(', ')}`, oneOf(SNIPPET_KINDS))
    .action((slug: string | undefined, options: SnippetOptions) =>
      cli.print(
        options,
        onProduct(slug, options, cli, (found, context) => printSnippet(found, options.for, context)),
      ),
    )
}

async function printSnippet(product: Product, asked: SnippetKind | undefined, { storage, config }: AppContext): Promise<Outcome> {
  const settings = {
    product,
    redirectUris: await redirectUriStore(storage.db).listRedirectUris(product.id),
    forwardAuth: await forwardAuthStore(storage.db).find(product.id),
  }
  const offered = snippetKindsOf(settings)
  const kind = asked ?? (offered.length === 1 ? offered[0] : undefined)
  if (kind === undefined) return { misuse: `say for which app: --for ${offered.join(', ')}` }
  if (!offered.includes(kind)) return { complaint: `${product.slug} is not set up for it: ${setUp(kind, product)}` }
  const snippet = writeSnippet(kind, settings, { baseUrl: config.baseUrl, proxyUrl: `http://127.0.0.1:${config.port}` })
  return { json: snippet, text: paragraphs(...textOf(snippet), secretHint(snippet, product)) }
}

/** The command that makes the lines work. */
function setUp(kind: SnippetKind, { slug }: Product): string {
  const way = SNIPPET_DOORS[kind]
  if (way.door === 'client') return 'it signs users in another way; its lines are those of `--for openid` or of its proxy'
  if (way.door === 'forward_auth')
    return `run \`portaria product set --slug ${slug} --forward-auth signed-in --add-forward-host wiki.example.com\``
  const pkce = way.openid.pkce === 'optional' ? ' --pkce optional' : ''
  return `run \`portaria product set --slug ${slug} --openid ${way.openid.kind}${pkce}\``
}

function textOf({ values, files }: Snippet): string[] {
  const settings = values.length === 0 ? [] : [fields(values.map(({ name, value }) => [name, value] as const))]
  // The lines of one file alone can be redirected into it.
  return [...settings, ...files.map(({ name, lines }) => (files.length === 1 ? lines : `# ${name}\n${lines}`))]
}

function secretHint(snippet: Snippet, { slug }: Product): string | undefined {
  if (!JSON.stringify(snippet).includes(SECRET_PLACEHOLDER)) return undefined
  return `# ${SECRET_PLACEHOLDER} is an API key: portaria product add-key --slug ${slug}`
}
