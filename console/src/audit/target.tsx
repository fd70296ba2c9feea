import { useTranslate } from 'react-admin'
import { eventPath } from '../endpoints/endpoint.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { jobTexts } from '../jobs/texts.ts'
import { notificationPath } from '../notifications/notification.ts'
import { labelOf } from '../payments/label-of.ts'
import { UserName } from '../users/user-name.tsx'
import type { AuditEntry } from './audit-entry.ts'
import { EndpointName, Id, PlanOf, ProductName, ProviderName, SubscriptionName, To, TokenName } from './named.tsx'
import { targetOf } from './target-of.ts'
import { auditTexts } from './texts.ts'

/** The target of an action by its name: as it is now, or as the entry has it. Things that have no name are shown by their id. */
export function Target({ entry }: { entry: Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'> }) {
  const { target } = entry
  const { kind, known } = targetOf(entry)
  switch (kind) {
    case 'user':
      return <UserName id={target} />
    case 'product':
      return <ProductName named={target} />
    case 'plan':
      return <PlanOf id={target} />
    case 'endpoint':
      return entry.action === 'endpoint.remove' && known !== undefined ? known : <EndpointName id={target} known={known} />
    case 'provider':
      return <ProviderName id={target} known={known} />
    case 'subscription':
      return <SubscriptionName id={target} />
    case 'notification':
      return <ShortLink path={notificationPath(target)} id={target} />
    case 'event':
      return <ShortLink path={eventPath(target)} id={target} />
    case 'job':
      return <JobName id={target} kind={known} />
    case 'list':
      return <ListName name={target} />
    case 'single':
      return <SingleName name={target} />
    case 'text':
      return target
    case 'token':
      return known ?? <TokenName id={target} />
    case 'id':
      return <Id id={target} />
  }
}

function ShortLink({ path, id }: { path: string; id: string }) {
  return <To path={path}>{`…${id.slice(-12)}`}</To>
}

function JobName({ id, kind }: { id: string; kind: string | undefined }) {
  const { kinds } = useTexts(jobTexts)
  return (
    <>
      {kind !== undefined && labelOf(kinds, kind)} <Id id={id} />
    </>
  )
}

function ListName({ name }: { name: string }) {
  return useTranslate()(`resources.${name}.name`, { smart_count: 2, _: name })
}

function SingleName({ name }: { name: string }) {
  return labelOf(useTexts(auditTexts).targets, name)
}
