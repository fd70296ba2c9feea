/**
 * Why something could not be done. `configuration`: this app's settings · `unavailable`: no valid answer from Portaria; try again later ·
 * `invalid_api_key`: Portaria does not know the key · `invalid_request`: Portaria refuses what was asked, in words that `message` repeats.
 */
export type PortariaErrorCode = 'configuration' | 'unavailable' | 'invalid_api_key' | 'invalid_request'

/** What is thrown where no answer can be given. That somebody is signed out, or may not use a product, is an answer and is never thrown. */
export class PortariaError extends Error {
  override readonly name = 'PortariaError'
  readonly code: PortariaErrorCode
  constructor(code: PortariaErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
