import { readFile, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { appearanceJson } from '../../admin/index.ts'
import {
  APPEARANCE_FIELDS,
  type AppearanceField,
  addImage,
  appearanceStore,
  changeAppearance,
  IMAGE_FIELDS,
  MAX_IMAGE_BYTES,
} from '../../appearance/index.ts'
import type { AppContext } from '../../context.ts'
import { type Product, productStore } from '../../products/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, oneOf } from '../command/input.ts'
import type { Outcome } from '../command/output.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { appearanceSentence, appearanceText, imageSentence, OPTION_OF, OPTIONS } from './appearance-view.ts'

interface SetOptions {
  json?: boolean
  product?: string
  name?: string
  accent?: string
  logo?: string
  logoDark?: string
  favicon?: string
  touchIcon?: string
  senderName?: string
  replyTo?: string
  support?: string
  terms?: string
  privacy?: string
  footer?: string
  clear?: Array<(typeof OPTIONS)[number]>
}

const WHOSE = "a product's own, by its slug; without it the operator's, for all pages and mails"

/** `portaria appearance …`: whose name pages and mails have, and their colours. */
export function appearanceCommands(program: Command, cli: CliContext): void {
  const appearance = program.command('appearance').description('the name, logo and colours of pages and mails')
  addVerb(appearance, 'show', { summary: 'show what is set', example: 'appearance show --product academy' })
    .option('--product <slug>', WHOSE)
    .action((options: Pick<SetOptions, 'json' | 'product'>) =>
      cli.onDatabase(options, (context) => onScope(options.product, context, (product) => show(product, context))),
    )
  addVerb(appearance, 'set', {
    summary: 'change some of it; every node shows it within two seconds',
    example: 'appearance set --name "Cursos do João" --accent "#1a4fd6" --logo logo.svg --support mailto:ajuda@cursos.example',
  })
    .option('--product <slug>', WHOSE)
    .option('--name <name>', 'the name that users see')
    .option('--accent <colour>', 'the colour of buttons and links, as #1a4fd6')
    .option('--logo <file>', 'an SVG or a PNG of 200 KB at most; a PNG is shown in mails too')
    .option('--logo-dark <file>', 'the same for the dark scheme')
    .option('--favicon <file>', "the icon of the browser's tab: square")
    .option('--touch-icon <file>', 'the icon on phones and in messengers: a square PNG, 180 pixels or more')
    .option('--sender-name <name>', 'the sender of mails; without it the name')
    .option('--reply-to <address>', 'where answers to mails go')
    .option('--support <address>', 'https: or mailto:, at the foot of pages and mails')
    .option('--terms <address>', 'the same; with it the sign-up asks for consent')
    .option('--privacy <address>', 'the same')
    .option('--footer <text>', "a line at the foot, as the company's name and number")
    .option('--clear <option>', `empty what this option has set; may be repeated: ${OPTIONS.join(', ')}`, collect(oneOf(OPTIONS)))
    .action((options: SetOptions) =>
      cli.onNewDatabase(options, (context) => onScope(options.product, context, (product) => set(options, product, context))),
    )
}

async function onScope(
  slug: string | undefined,
  { storage }: AppContext,
  work: (product: Product | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  if (slug === undefined) return work(undefined)
  const product = await productStore(storage.db).findBySlug(slug)
  return product ? work(product) : { complaint: productSentence({ refusal: 'not_found' }) }
}

async function show(product: Product | undefined, { storage, config }: AppContext): Promise<Outcome> {
  const { db } = storage
  const own = await appearanceStore(db).find(product?.id)
  const operator = product ? await appearanceStore(db).find(undefined) : {}
  const json = await appearanceJson(own, { product, db, baseUrl: config.baseUrl })
  return { json, text: appearanceText(own, { ...operator, ...own }) }
}

async function set(options: SetOptions, product: Product | undefined, context: AppContext): Promise<Outcome> {
  const change: Partial<Record<AppearanceField, string | null>> = {}
  for (const field of APPEARANCE_FIELDS) {
    const given = givenFor(options, field)
    if (options.clear?.includes(OPTION_OF[field])) change[field] = null
    if (given === undefined) continue
    const isFile = IMAGE_FIELDS.some((one) => one === field)
    const read = isFile ? await readImage(given, context) : { value: given }
    if ('complaint' in read) return read
    change[field] = read.value
  }
  if (Object.keys(change).length === 0) return { misuse: 'say what to change: `portaria appearance set --name "Cursos do João"`' }
  const changed = await changeAppearance(product?.id, change, { ...context, actor: OPERATOR })
  return 'refusal' in changed ? { complaint: appearanceSentence(changed) } : show(product, context)
}

/** Commander names an option's value in camel case. */
function givenFor(options: SetOptions, field: AppearanceField): string | undefined {
  const { logo, logoDark, support, terms, privacy } = options
  const others = { logoLight: logo, logoDark, supportUrl: support, termsUrl: terms, privacyUrl: privacy }
  const { name, accent, favicon, touchIcon, senderName, replyTo, footer } = options
  return { ...others, name, accent, favicon, touchIcon, senderName, replyTo, footer }[field]
}

async function readImage(file: string, context: AppContext): Promise<{ value: string } | { complaint: string }> {
  const size = await stat(file).then(
    (found) => (found.isFile() ? found.size : undefined),
    () => undefined,
  )
  if (size === undefined) return { complaint: `${file}: there is no such file` }
  if (size > MAX_IMAGE_BYTES) return { complaint: imageSentence({ refusal: 'image_too_large' }, file) }
  const added = await addImage(await readFile(file), { ...context, actor: OPERATOR })
  return 'refusal' in added ? { complaint: imageSentence(added, file) } : { value: added.hash }
}
