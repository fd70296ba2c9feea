import { z } from 'zod'
import {
  faults,
  formBodySchema,
  jsonAnswer,
  orPage,
  pageFaults,
  pageTooLarge,
  redirectAnswer,
  refusal,
  tooLarge,
} from '../../http/index.ts'
import { BAD_FLOW, FOREIGN_ORIGIN, flow, passkeyCredential, passkeyOptions, tooMany, tooManyPage, UNREADABLE } from '../flow/schemas.ts'

export const passkeySignInOptionsSchema = {
  operationId: 'beginPasskeySignIn',
  summary: 'What a browser needs to ask a device for a signature',
  description:
    'PublicKeyCredentialRequestOptions as JSON (WebAuthn Level 3). The challenge is valid for five minutes, once, in this browser. Names no account.',
  tags: ['sign-in'],
  security: [{ flow: [] }],
  body: formBodySchema(z.object({ flow })),
  response: {
    200: jsonAnswer('The options', passkeyOptions),
    400: orPage(refusal({ ...BAD_FLOW, ...UNREADABLE })),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...tooLarge,
    429: tooMany,
    ...faults,
  },
}

export const passkeySignInSchema = {
  operationId: 'signInWithPasskey',
  summary: 'Sign in with a passkey',
  description:
    'The device has verified its user, so this is both factors. Failures are counted with those of the password. A count that goes back is refused and written into the audit log.',
  tags: ['sign-in'],
  security: [{ flow: [] }],
  body: formBodySchema(z.object({ flow, credential: passkeyCredential })),
  response: {
    302: redirectAnswer('Signed in: to /complete-profile or, with nothing missing there, to /auth/welcome', {
      'Set-Cookie': 'eg_session, the bound cookie and the device cookie',
    }),
    400: orPage(refusal({ ...BAD_FLOW, ...UNREADABLE })),
    401: orPage(refusal({ 'credenciais invalidas': 'an unknown passkey, or an answer that is not good' })),
    403: orPage(refusal({ ...FOREIGN_ORIGIN, 'conta em exclusao': 'its user has asked for the account to be deleted' })),
    ...pageTooLarge,
    429: tooManyPage,
    ...pageFaults,
  },
}
