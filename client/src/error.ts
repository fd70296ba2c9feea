/**
 * Why something failed. `configuration`: this app's settings · `unavailable`: no valid answer from Portaria; try again later ·
 * `invalid_api_key`: Portaria does not know the key · `invalid_request`: Portaria refuses the request, in words that `message` repeats.
 */
export type PortariaErrorCode = 'configuration' | 'unavailable' | 'invalid_api_key' | 'invalid_request'

/** Thrown where no answer can be given. "Signed out" and "no access" are answers, and are never thrown. */
export class PortariaError extends Error {
  override readonly name = 'PortariaError'
  readonly code: PortariaErrorCode
  constructor(code: PortariaErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
