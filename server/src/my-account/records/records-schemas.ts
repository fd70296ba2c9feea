import { z } from 'zod'
import { formBodySchema } from '../../http/index.ts'
import { action, list, own } from '../page-schemas.ts'

export const purchasesSchema = {
  ...list('The page'),
  operationId: 'showOwnPurchases',
  summary: 'What one has bought, and how it stands',
}

export const consentsSchema = {
  ...list('The page'),
  operationId: 'showOwnConsents',
  summary: 'What one has agreed to',
  description: 'The NDA of beta users as it was accepted, and the products that receive data.',
}

export const withdrawConsentSchema = {
  ...own,
  operationId: 'withdrawConsent',
  summary: 'Take a consent back',
  description:
    'Ends one’s sessions in the product, voids handoffs to it that are under way, and lets the splash ask again. What is not there changes nothing.',
  body: formBodySchema(z.object({ product: z.uuid() })),
  response: action('To the list'),
}
