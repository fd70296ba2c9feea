import type { NormalizedEvent } from '../../payment-history/index.ts'

export function amend(
  normalized: NormalizedEvent,
  { planSlug, productId, email }: { planSlug: string | undefined; productId: string | undefined; email: string | undefined },
): NormalizedEvent {
  const named = productId ?? normalized.plan.productId
  const { stream } = normalized
  const ofProduct = stream.by === 'gateway' && stream.own && productId !== undefined ? { stream: { ...stream, productId } } : {}
  return { ...normalized, ...ofProduct, plan: amendPlan(normalized.plan, planSlug, named), email: email ?? normalized.email }
}

/** A gateway sells for its own product only, whatever product the operator names. */
function amendPlan(plan: NormalizedEvent['plan'], slug: string | undefined, productId: string | undefined): NormalizedEvent['plan'] {
  if (slug !== undefined) return { by: 'slug', slug, productId: plan.by === 'gateway' ? plan.productId : productId, byOperator: true }
  return plan.by === 'gateway' ? plan : { ...plan, productId }
}
