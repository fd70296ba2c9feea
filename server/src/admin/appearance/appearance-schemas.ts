import { z } from 'zod'
import { reason } from '../api/request/reason.ts'

const text = z.string().max(500).nullable()
const image = z.string().max(64).nullable().describe('the `id` of an image (POST /appearance/images)')

const fields = {
  name: text.describe('the name that users see instead of Portaria'),
  accent: text.describe('the colour of buttons and links, as #0d7a56; 4.5:1 or more on the page'),
  logo_light: image,
  logo_dark: image.describe('the logo in the dark scheme; without it the light one'),
  favicon: image.describe('square'),
  touch_icon: image.describe(
    'a square PNG, 180 pixels or more, for home screens and messengers; without it the favicon, where that is a PNG',
  ),
  sender_name: text.describe('the name of the sender of mails; without it the name'),
  reply_to: text.describe('where answers to mails go'),
  support_url: text.describe('https: or mailto:'),
  terms_url: text.describe('https: or mailto:; with it the sign-up has a sentence of consent'),
  privacy_url: text.describe('https: or mailto:'),
  footer: text.describe("a line at the foot of pages and mails, as the company's name and number"),
}

export const appearanceSchema = z
  .object({
    product: z.string().nullable().describe("the product's slug; null: the operator's own"),
    ...fields,
    shown: z
      .object({
        name: z.string(),
        accent: z.string(),
        accent_dark: z.string(),
        logo_light_url: z.string().nullable(),
        logo_dark_url: z.string().nullable(),
        favicon_url: z.string(),
        touch_icon_url: z.string().nullable(),
        sender_name: z.string().nullable(),
        reply_to: z.string().nullable(),
        support_url: z.string().nullable(),
        terms_url: z.string().nullable(),
        privacy_url: z.string().nullable(),
        footer: z.string().nullable(),
      })
      .describe('what users see: a field that a product leaves empty is the operator’s'),
  })
  .meta({ id: 'Appearance' })

export const appearanceExample = {
  product: null,
  name: 'Cursos do João',
  accent: '#1a4fd6',
  logo_light: '5f1d0c6f0b3b4f3aa2f6b4c1c7a1d2e3',
  logo_dark: null,
  favicon: null,
  touch_icon: null,
  sender_name: null,
  reply_to: 'ajuda@cursos.example',
  support_url: 'https://cursos.example/ajuda',
  terms_url: 'https://cursos.example/termos',
  privacy_url: null,
  footer: 'Cursos do João Ltda · CNPJ 12.345.678/0001-95',
  shown: {
    name: 'Cursos do João',
    accent: '#1a4fd6',
    accent_dark: '#9bb5ff',
    logo_light_url: 'https://sso.cursos.example/assets/brand/5f1d0c6f0b3b4f3aa2f6b4c1c7a1d2e3.png',
    logo_dark_url: null,
    favicon_url: 'https://sso.cursos.example/assets/brand/letter-43-1a4fd6-ffffff-0a1b2c3d.svg',
    touch_icon_url: null,
    sender_name: 'Cursos do João',
    reply_to: 'ajuda@cursos.example',
    support_url: 'https://cursos.example/ajuda',
    terms_url: 'https://cursos.example/termos',
    privacy_url: null,
    footer: 'Cursos do João Ltda · CNPJ 12.345.678/0001-95',
  },
}

const draft = z.string().max(500).optional()

/** The fields of a draft in a query, where an empty one stands for null. */
export const draftFields = {
  name: draft,
  accent: draft,
  logo_light: draft,
  logo_dark: draft,
  favicon: draft,
  touch_icon: draft,
  sender_name: draft,
  reply_to: draft,
  support_url: draft,
  terms_url: draft,
  privacy_url: draft,
  footer: draft,
}

export const accentQuery = z.strictObject({ accent: z.string().max(20) })

export const accentSchema = z
  .object({
    accent: z.string(),
    ratio: z.number().describe('the contrast where it has the least: as a link on the page, or under white text; 4.5 or more can be read'),
    nearest: z.string().nullable().describe('the nearest colour that can be read; null: this one can'),
  })
  .meta({ id: 'AccentContrast' })

export const accentExample = { accent: '#ffd400', ratio: 1.32, nearest: '#7d6a00' }

/** An absent field stays as it is, null empties it. */
export const changeAppearanceBody = z.strictObject({ ...z.object(fields).partial().shape, reason: reason.optional() })

export const addImageBody = z.strictObject({
  content: z.string().describe('the file in base64: an SVG or a PNG, 200 KB at most'),
  reason: reason.optional(),
})

export const imageSchema = z.object({
  id: z.string(),
  type: z.enum(['svg', 'png']),
  width: z.number(),
  height: z.number(),
  url: z.string(),
})

export const imageExample = {
  id: '5f1d0c6f0b3b4f3aa2f6b4c1c7a1d2e3',
  type: 'png',
  width: 440,
  height: 112,
  url: 'https://sso.cursos.example/assets/brand/5f1d0c6f0b3b4f3aa2f6b4c1c7a1d2e3.png',
}
