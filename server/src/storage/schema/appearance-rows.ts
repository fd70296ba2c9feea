// How pages and mails look.

export interface AppearanceTables {
  appearances: AppearanceRow
  brand_images: BrandImageRow
}

/** `scope`: a product's id, or `operator`. An empty field means the operator's, or the built-in one. */
export interface AppearanceRow {
  scope: string
  name: string | null
  accent: string | null
  logo_light: string | null
  logo_dark: string | null
  favicon: string | null
  touch_icon: string | null
  sender_name: string | null
  reply_to: string | null
  support_url: string | null
  terms_url: string | null
  privacy_url: string | null
  footer: string | null
  updated_at: number
}

/** `content`: base64. */
export interface BrandImageRow {
  hash: string
  type: string
  width: number
  height: number
  content: string
  created_at: number
  unused_since: number | null
}
