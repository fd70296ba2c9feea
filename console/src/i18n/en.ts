import type { Messages } from './pt-br.ts'
import { raEn } from './ra-en.ts'

export const en: Messages = {
  ra: raEn,
  refusal: {
    not_signed_in: 'Your session has ended. Sign in again to continue.',
    foreign_origin: 'The request did not come from this page. Reload and try again.',
    not_allowed: 'Your role does not allow this.',
    recent_authentication: 'Confirm it’s you to do this. Nothing was changed.',
    second_factor: 'This needs your two-step verification. Nothing was changed.',
    stale: 'This changed while you had it open. Nothing was saved.',
    bad_cursor: 'The list has changed. Go back to the first page.',
    no_such_product: 'There is no product with this URL name.',
    impersonation: 'You are acting as another user in this browser. Stop to use the console.',
    unreachable: 'The service did not answer. Check the connection and try again.',
    invalid: 'The service did not accept this data.',
    not_found: 'Not found: it does not exist, or no longer does.',
    conflict: 'This is not possible in its current state.',
    too_large: 'It is too large. Make it smaller and try again.',
    too_many: 'Too many requests. Wait a minute and try again.',
    away: 'The service is briefly unavailable. Try again in a minute.',
    fault: 'The service hit an error, which was logged.',
  },
  field: {
    required: 'Fill in this field',
    too_short: 'Too short',
    too_long: 'Too long',
    too_small: 'Too small',
    too_big: 'Too big',
    invalid_type: 'Check this value',
    invalid_value: 'This value is not accepted',
    invalid_format: 'Check the format',
    unknown: 'Unknown field',
    taken: 'Already in use',
    malformed: 'Check the format',
    missing: 'Fill in this field',
    needs_internal: 'Only an internal app can have this',
    needs_integrated: 'Only an app that sells through Portaria can have this',
    no_such_plan: 'This plan does not exist',
    no_such_product: 'This product does not exist',
    no_such_user: 'There is no account with this email',
    has_role: 'This user already has a role',
    operator_only: "Only the operator's endpoints can choose this",
    too_little_contrast: 'This colour is hard to read: it needs a contrast of at least 4.5:1',
    no_such_image: 'This image does not exist',
    not_square: 'The picture must be square',
    not_a_png: 'The picture must be a PNG',
    needs_light_logo: 'Choose a logo for the light theme too',
    image_too_large: 'A picture can be up to 200 KB',
    image_empty: 'The file is empty',
    not_an_image: 'Choose an SVG or a PNG',
    png_damaged: 'This PNG is damaged',
    png_size: 'A PNG can be up to 2,000 pixels per side',
    svg_damaged: 'This SVG could not be read: save it as a plain SVG',
    svg_element: 'An SVG may only draw, and this one has an element that may do more',
    svg_handler: 'An SVG must not run anything, and this one handles events',
    svg_address: 'An SVG must not refer to anything outside it, and this one does',
    svg_style: 'This SVG has a style that could fetch something',
    svg_size: 'An SVG needs a viewBox, or width and height',
    svg_too_much: 'This SVG draws too much, or refers to itself',
    invalid: 'Check this value',
  },
  resources: {
    users: {
      name: 'User |||| Users',
    },
    sessions: {
      name: 'Session |||| Sessions',
    },
    'failed-sign-ins': {
      name: 'Refused sign-in |||| Refused sign-ins',
    },
    products: {
      name: 'Product |||| Products',
    },
    plans: {
      name: 'Plan |||| Plans',
    },
    'identity-providers': {
      name: 'Identity provider |||| Identity providers',
    },
    subscriptions: {
      name: 'Subscription |||| Subscriptions',
    },
    transactions: {
      name: 'Payment |||| Payments and refunds',
    },
    notifications: {
      name: 'Webhook |||| Webhooks',
    },
    endpoints: {
      name: 'Event endpoint |||| Event endpoints',
    },
    events: {
      name: 'Event |||| Events',
    },
    appearance: {
      name: 'Appearance |||| Appearance',
    },
    jobs: {
      name: 'Job |||| Jobs',
    },
    'signing-keys': {
      name: 'Signing key |||| Signing keys',
    },
    tokens: {
      name: 'API token |||| API tokens',
    },
    administrators: {
      name: 'Administrator |||| Administrators',
    },
    audit: {
      name: 'Audit entry |||| Audit log',
    },
  },
}
