import { useTexts } from '../i18n/use-texts.ts'
import { useProducts } from '../payments/offers.ts'
import { UserName } from '../users/user-name.tsx'
import { TokenName } from './named.tsx'
import { auditTexts } from './texts.ts'

const SHOWN = 12

/** The actor of an action, by their name if they have one. */
export function Actor({ actor }: { actor: string }) {
  const { actors } = useTexts(auditTexts)
  const [kind = '', id = ''] = actor.split(':')
  switch (kind) {
    case 'user':
      return <UserName id={id} />
    case 'product':
      return <ProductName id={id} />
    case 'token':
      return (
        <>
          {actors.token}: <TokenName id={id} />
        </>
      )
    case 'operator':
      return id === 'cli' ? actors.cli : actors.operator
    default:
      return kind === 'system' ? actors.system : actor
  }
}

function ProductName({ id }: { id: string }) {
  const { actors } = useTexts(auditTexts)
  const name = useProducts().find((product) => product.id === id)?.name
  return `${actors.product}: ${name ?? id.slice(-SHOWN)}`
}
