import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import { isVisibleLine, type Now, normaliseEmail } from '../kit/index.ts'
import { parseFooterHref } from '../pages/index.ts'
import { rollBackRefusals, type Transaction } from '../storage/index.ts'
import { APPEARANCE_FIELDS, type Appearance, type AppearanceField, appearanceVersion, IMAGE_FIELDS } from './appearance.ts'
import { judgeAccent } from './colours/palette.ts'
import { appearanceStore, holdAppearance } from './store.ts'

/** An absent field stays; `null` empties it, so that the operator's or the built-in one counts. */
export type AppearanceChange = Readonly<Partial<Record<AppearanceField, string | null>>>

type FieldFault =
  | { why: 'malformed' | 'no_such_image' | 'not_square' | 'not_a_png' | 'needs_light_logo' }
  /** The contrast of the accent where it has the least, and the nearest colour that passes. */
  | { why: 'too_little_contrast'; ratio: number; nearest: string }

export type AppearanceRefusal = ({ refusal: 'field_refused'; field: AppearanceField } & FieldFault) | { refusal: 'changed_meanwhile' }

interface ChangeDeps {
  changes: ChangeFeed
  now: Now
  actor: Actor
  /** The version in the editor's copy; a newer one refuses the change. */
  seen?: string | undefined
}

const MAX_NAME = 60
const MAX_FOOTER = 200

/** Changes the look of a product, or of the operator, all of it or nothing. Every node has it within 2 s. */
export function changeAppearance(
  productId: string | undefined,
  change: AppearanceChange,
  { changes, now, actor, seen }: ChangeDeps,
): Promise<Appearance | AppearanceRefusal> {
  return rollBackRefusals<Appearance, AppearanceRefusal>((refuse) =>
    changes.transaction((tx, announce) => applyAppearanceChange(tx, productId, change, { announce, at: now(), actor, seen, refuse })),
  )
}

interface ApplyDeps {
  announce: Announce
  at: number
  actor: Actor
  seen?: string | undefined
  /** Ends the transaction. */
  refuse: (refusal: AppearanceRefusal) => never
}

/** The same in the caller's transaction. */
export async function applyAppearanceChange(
  tx: Transaction,
  productId: string | undefined,
  wanted: AppearanceChange,
  { announce, at, actor, seen, refuse }: ApplyDeps,
): Promise<Appearance> {
  const parsed = parseChange(wanted)
  if ('refusal' in parsed) return refuse(parsed)
  const { change } = parsed
  const before = await holdAppearance(tx, productId, at)
  if (seen !== undefined && appearanceVersion(before) !== seen) refuse({ refusal: 'changed_meanwhile' })
  const after = apply(before, change)
  const fault = await findImageFault(tx, after, change)
  if (fault) refuse(fault)
  await appearanceStore(tx).put(productId, after, at)
  const entry = { action: 'appearance.change', target: productId ?? 'operator' }
  await recordAudit(tx, { actor, ...entry, before: part(before, change), after: change }, at)
  announce({ kind: 'appearance_changed', subject: productId ?? 'operator' })
  return after
}

/** A field's text in its normal form, or why it can't be. Pure. */
export function parseAppearanceField(field: AppearanceField, text: string): { value: string } | FieldFault {
  const parsed = parsers[field](text)
  if (typeof parsed === 'object') return parsed
  return parsed === undefined ? { why: 'malformed' } : { value: parsed }
}

/** A look with a draft's changes. A field that is refused stays as it was. Pure. */
export function applyDraft(before: Appearance, draft: AppearanceChange): Appearance {
  const change: Partial<Record<AppearanceField, string | null>> = {}
  for (const field of APPEARANCE_FIELDS) {
    const text = draft[field]
    const parsed = typeof text === 'string' ? parseAppearanceField(field, text) : { value: text }
    if ('value' in parsed && parsed.value !== undefined) change[field] = parsed.value
  }
  return apply(before, change)
}

/** The accent in its normal form with the contrast that it has where it has the least; `undefined` for no colour at all. Pure. */
export function examineAccent(text: string): { accent: string; ratio: number; nearest: string | undefined } | undefined {
  const accent = normalAccent(text)
  if (accent === undefined) return undefined
  const judged = judgeAccent(accent)
  return { accent, ratio: judged.ratio, nearest: 'nearest' in judged ? judged.nearest : undefined }
}

const line = (max: number) => (text: string) => (isVisibleLine(text.trim(), max) ? text.trim() : undefined)
const hash = (text: string) => (/^[0-9a-f]{32}$/.test(text) ? text : undefined)

const parsers: Record<AppearanceField, (text: string) => string | FieldFault | undefined> = {
  name: line(MAX_NAME),
  accent: parseAccent,
  logoLight: hash,
  logoDark: hash,
  favicon: hash,
  touchIcon: hash,
  // Quotes and brackets are parts of a header's syntax, and some mail programs show them wrongly.
  senderName: (text) => (/["<>@]/.test(text) ? undefined : line(MAX_NAME)(text)),
  replyTo: normaliseEmail,
  supportUrl: parseFooterHref,
  termsUrl: parseFooterHref,
  privacyUrl: parseFooterHref,
  footer: line(MAX_FOOTER),
}

function parseAccent(text: string): string | FieldFault | undefined {
  const examined = examineAccent(text)
  if (!examined) return undefined
  const { accent, ratio, nearest } = examined
  return nearest === undefined ? accent : { why: 'too_little_contrast', ratio, nearest }
}

function normalAccent(text: string): string | undefined {
  const [, short, long] = /^#?(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text.trim()) ?? []
  const digits = (short?.replace(/./g, '$&$&') ?? long)?.toLowerCase()
  return digits === undefined ? undefined : `#${digits}`
}

function parseChange(change: AppearanceChange): { change: AppearanceChange } | Extract<AppearanceRefusal, { field: AppearanceField }> {
  const parsed: Partial<Record<AppearanceField, string | null>> = {}
  for (const field of APPEARANCE_FIELDS) {
    const text = change[field]
    if (text === undefined) continue
    const read = text === null ? { value: null } : parseAppearanceField(field, text)
    if ('why' in read) return { refusal: 'field_refused', field, ...read }
    parsed[field] = read.value
  }
  return { change: parsed }
}

function apply(before: Appearance, change: AppearanceChange): Appearance {
  return Object.fromEntries(
    APPEARANCE_FIELDS.flatMap((field) => {
      const value = change[field] === undefined ? before[field] : change[field]
      return typeof value === 'string' ? [[field, value]] : []
    }),
  )
}

/** The fields before a change that it names; an absent one is left out, as in `after` it is null. */
function part(before: Appearance, change: AppearanceChange): Appearance {
  return Object.fromEntries(Object.entries(before).filter(([field]) => Object.hasOwn(change, field)))
}

async function findImageFault(
  tx: Transaction,
  after: Appearance,
  change: AppearanceChange,
): Promise<Extract<AppearanceRefusal, { field: AppearanceField }> | undefined> {
  const refusal = 'field_refused'
  for (const field of IMAGE_FIELDS) {
    const wanted = change[field]
    if (typeof wanted !== 'string') continue
    const image = await appearanceStore(tx).takeImage(wanted)
    if (!image) return { refusal, field, why: 'no_such_image' }
    const isIcon = field === 'favicon' || field === 'touchIcon'
    if (isIcon && image.width !== image.height) return { refusal, field, why: 'not_square' }
    // Phones and messengers show no SVG.
    if (field === 'touchIcon' && image.type !== 'png') return { refusal, field, why: 'not_a_png' }
  }
  return after.logoDark !== undefined && after.logoLight === undefined ? { refusal, field: 'logoDark', why: 'needs_light_logo' } : undefined
}
