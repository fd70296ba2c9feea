/** The columns of tables: the API's names, in every language. A `.` leads into a group of fields. */
export const userColumns = [
  'id',
  'name',
  'email',
  'verified_at',
  'role',
  'disabled_at',
  'deletion_due_at',
  'is_producer',
  'is_beta',
  'beta.nda_accepted_at',
  'company_name',
  'rank_name',
  'phone',
  'external_id',
  'has_password',
  'created_at',
] as const

export const subscriptionColumns = [
  'id',
  'state',
  'active',
  'status',
  'reason',
  'plan_slug',
  'product',
  'email',
  'user_id',
  'product_user',
  'amount',
  'foreign_amount',
  'monthly_amount',
  'monthly_currency',
  'method',
  'current_period_end',
  'grace_until',
  'link_closed_at',
  'changed_at',
] as const

export const notificationColumns = [
  'id',
  'received_at',
  'source',
  'event',
  'status',
  'why',
  'subject',
  'product_id',
  'subscription_id',
  'processed_at',
  'paid_amount',
  'plan_price',
] as const

export const transactionColumns = [
  'id',
  'at',
  'kind',
  'amount',
  'currency',
  'payment_id',
  'subscription_id',
  'plan_slug',
  'product',
  'email',
  'user_id',
] as const

export const auditColumns = ['id', 'at', 'actor', 'action', 'target', 'reason', 'ip', 'before', 'after'] as const
