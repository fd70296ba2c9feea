import { adminPath } from '../../api/admin-http.ts'
import { defineTexts, useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import type { User } from '../user.ts'
import { useMayActOn } from './use-may-act-on.ts'

/** Begins an impersonation. When the answer arrives, the browser belongs to the user's session, so the next page is loaded anew. */
export function ImpersonateButton({ user }: { user: Pick<User, 'id' | 'name' | 'role' | 'disabled_at'> }) {
  const texts = useTexts(impersonateTexts)
  const mayAct = useMayActOn(user, 'users:impersonate')
  if (!mayAct || user.role !== null || user.disabled_at !== null) return undefined
  return (
    <ActionButton
      label={texts.impersonate}
      reason="required"
      request={{ path: adminPath('users', user.id, 'impersonate') }}
      explains={texts.explains(user.name)}
      refusals={texts.refusals}
      onDone={() => window.location.assign('/account')}
    />
  )
}

const impersonateTexts = defineTexts({
  'pt-BR': {
    impersonate: 'Agir em nome da pessoa',
    explains: (name: string) =>
      `Por 15 minutos, este navegador vê a conta e os apps da família como ${name} os vê, sem poder mudar nada na conta. ${name} recebe um e-mail com o motivo que você escrever aqui. Uma faixa no alto de cada página tem o botão que traz você de volta.`,
    refusals: {
      oneself: 'Esta conta é a sua.',
      has_role: 'Ninguém age em nome de quem tem uma função no console.',
      disabled: 'A conta está bloqueada: desbloqueie antes.',
    },
  },
  en: {
    impersonate: 'Act as this user',
    explains: (name: string) =>
      `For 15 minutes this browser sees the account and the apps of the family as ${name} does, but cannot change anything in the account. ${name} gets an email with the reason you write here. A banner above every page has the button that brings you back.`,
    refusals: {
      oneself: 'This account is your own.',
      has_role: 'Nobody acts as someone who has a role in the console.',
      disabled: 'The account is locked: unlock it first.',
    },
  },
  es: {
    impersonate: 'Actuar en nombre de la persona',
    explains: (name: string) =>
      `Durante 15 minutos, este navegador ve la cuenta y las apps de la familia como las ve ${name}, sin poder cambiar nada de la cuenta. ${name} recibe un correo con el motivo que escribas aquí. Una franja en lo alto de cada página tiene el botón para volver.`,
    refusals: {
      oneself: 'Esta cuenta es la tuya.',
      has_role: 'Nadie actúa en nombre de quien tiene una función en la consola.',
      disabled: 'La cuenta está bloqueada: desbloquéala antes.',
    },
  },
})
