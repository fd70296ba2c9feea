// purchases: purchase notifications of the operator's own checkout. Owns: POST /api/webhook/payment, its signature, its forms, and their
// events. Does not own: the verified notification (notifications), the subscription that follows (subscriptions).
export { PURCHASE_EVENTS, type PurchaseEvent } from './purchase-forms.ts'
export { parsePurchase } from './purchase-notification.ts'
export { parseSignedBody, signPurchase } from './purchase-signature.ts'
export { digestOf, PURCHASE_SOURCE, type ReadPurchase, recordPurchase } from './receive.ts'
export { purchaseRoutes } from './routes.ts'
