import { isVisibleLine, normaliseEmail } from '../../kit/index.ts'
import { parseFooterHref } from '../../pages/index.ts'
import type { AppearanceField } from '../appearance.ts'
import { examineAccent } from './examine-accent.ts'

export type FieldFault =
  | { why: 'malformed' | 'no_such_image' | 'not_square' | 'not_a_png' | 'needs_light_logo' }
  /** The contrast of the accent where it has the least, and the nearest colour that passes. */
  | { why: 'too_little_contrast'; ratio: number; nearest: string }

/** A field's text in its normal form, or why it can't be. Pure. */
export function parseAppearanceField(field: AppearanceField, text: string): { value: string } | FieldFault {
  const parsed = parsers[field](text)
  if (typeof parsed === 'object') return parsed
  return parsed === undefined ? { why: 'malformed' } : { value: parsed }
}

const MAX_NAME = 60

const MAX_FOOTER = 200

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
