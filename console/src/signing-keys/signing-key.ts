/** A key that signs tokens, as the API shows it. */
export interface SigningKey {
  id: string
  kid: string
  created_at: string
  signs_from: string
  revoked_at: string | null
  /** `next` is published and will sign; `verifying` outlives its last token; `retired` is past that. */
  state: 'next' | 'signing' | 'verifying' | 'retired' | 'revoked'
}
