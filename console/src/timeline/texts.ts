import { defineTexts } from '../i18n/use-texts.ts'

interface TimelineTexts {
  title: string
  loading: string
  empty: string
  more: string
  signIn: string
  productSignIn: (product: string) => string
  sessionEnd: (why: string) => string
  notification: (source: string) => string
  mail: (which: string) => string
  change: string
  by: (actor: string) => string
  statuses: Record<string, string>
  ends: Record<string, string>
  mails: Record<string, string>
}

const ptBR: TimelineTexts = {
  title: 'Linha do tempo',
  loading: 'Carregando',
  empty: 'Nada aconteceu ainda.',
  more: 'Mostrar mais',
  signIn: 'Entrou',
  productSignIn: (product) => `Entrou em ${product}`,
  sessionEnd: (why) => `Sessão encerrada: ${why}`,
  notification: (source) => `Notificação: ${source}`,
  mail: (which) => `E-mail: ${which}`,
  change: 'Alteração',
  by: (actor) => `por ${actor}`,
  statuses: { processed: 'aplicada', unresolved: 'não resolvida', failed: 'falhou', ignored: 'ignorada', test: 'teste' },
  ends: {
    signed_out: 'a pessoa saiu',
    replaced: 'outra entrada no mesmo navegador',
    password_changed: 'a senha mudou',
    disabled: 'a conta foi bloqueada',
    operator: 'pela operação',
    deleted: 'a conta foi excluída',
    restored: 'a conta foi restaurada',
    taken_over: 'a conta passou a quem provou o endereço',
    disowned: 'a pessoa disse que não era ela',
    email_changed: 'o endereço mudou',
    deletion_requested: 'a pessoa pediu a exclusão',
    ended_by_owner: 'a pessoa encerrou em Minha conta',
    consent_withdrawn: 'a pessoa retirou o consentimento',
    acting_stopped: 'quem agia em nome da pessoa parou',
    acting_expired: 'acabaram os 15 minutos em nome da pessoa',
  },
  mails: {
    confirm_address: 'confirmar o endereço',
    account_exists: 'já existe uma conta',
    reset_password: 'nova senha',
    password_changed: 'a senha mudou',
    passkey_added: 'chave de acesso adicionada',
    passkey_removed: 'chave de acesso removida',
    second_factor_on: 'segunda etapa ligada',
    second_factor_off: 'segunda etapa desligada',
    factors_removed: 'formas de confirmação removidas pela operação',
    recovery_code_used: 'código de recuperação usado',
    confirm_new_address: 'confirmar o novo endereço',
    address_changed: 'o endereço mudou',
    new_device: 'entrada em um novo dispositivo',
    invitation: 'convite',
    identity_linked: 'conta vinculada',
    identity_unlinked: 'conta desvinculada',
    account_taken_over: 'a conta passou a quem provou o endereço',
    acted_for: 'o suporte agiu pela pessoa',
    deletion_requested: 'exclusão pedida',
    account_deleted: 'conta excluída',
  },
}

const en: TimelineTexts = {
  title: 'Timeline',
  loading: 'Loading',
  empty: 'Nothing has happened yet.',
  more: 'Show more',
  signIn: 'Signed in',
  productSignIn: (product) => `Signed in to ${product}`,
  sessionEnd: (why) => `Session ended: ${why}`,
  notification: (source) => `Notification: ${source}`,
  mail: (which) => `Mail: ${which}`,
  change: 'Change',
  by: (actor) => `by ${actor}`,
  statuses: { processed: 'applied', unresolved: 'unresolved', failed: 'failed', ignored: 'ignored', test: 'test' },
  ends: {
    signed_out: 'the person signed out',
    replaced: 'another sign-in in the same browser',
    password_changed: 'the password changed',
    disabled: 'the account was locked',
    operator: 'by the operator',
    deleted: 'the account was deleted',
    restored: 'the account was restored',
    taken_over: 'the account went to whoever proved the address',
    disowned: 'the person said it was not them',
    email_changed: 'the address changed',
    deletion_requested: 'the person asked for deletion',
    ended_by_owner: 'the person ended it under My account',
    consent_withdrawn: 'the person withdrew their consent',
    acting_stopped: 'who acted for the person stopped',
    acting_expired: 'the 15 minutes on behalf of the person were over',
  },
  mails: {
    confirm_address: 'confirm the address',
    account_exists: 'there is an account already',
    reset_password: 'new password',
    password_changed: 'the password changed',
    passkey_added: 'passkey added',
    passkey_removed: 'passkey removed',
    second_factor_on: 'second step turned on',
    second_factor_off: 'second step turned off',
    factors_removed: 'factors removed by the operator',
    recovery_code_used: 'recovery code used',
    confirm_new_address: 'confirm the new address',
    address_changed: 'the address changed',
    new_device: 'sign-in on a new device',
    invitation: 'invitation',
    identity_linked: 'account linked',
    identity_unlinked: 'account unlinked',
    account_taken_over: 'the account went to whoever proved the address',
    acted_for: 'support acted for the person',
    deletion_requested: 'deletion asked for',
    account_deleted: 'account deleted',
  },
}

const es: TimelineTexts = {
  title: 'Línea de tiempo',
  loading: 'Cargando',
  empty: 'Todavía no ha pasado nada.',
  more: 'Mostrar más',
  signIn: 'Inició sesión',
  productSignIn: (product) => `Inició sesión en ${product}`,
  sessionEnd: (why) => `Sesión terminada: ${why}`,
  notification: (source) => `Notificación: ${source}`,
  mail: (which) => `Correo: ${which}`,
  change: 'Cambio',
  by: (actor) => `por ${actor}`,
  statuses: { processed: 'aplicada', unresolved: 'sin resolver', failed: 'falló', ignored: 'ignorada', test: 'prueba' },
  ends: {
    signed_out: 'la persona salió',
    replaced: 'otro inicio de sesión en el mismo navegador',
    password_changed: 'la contraseña cambió',
    disabled: 'la cuenta fue bloqueada',
    operator: 'por la operación',
    deleted: 'la cuenta fue eliminada',
    restored: 'la cuenta fue restaurada',
    taken_over: 'la cuenta pasó a quien probó la dirección',
    disowned: 'la persona dijo que no era ella',
    email_changed: 'la dirección cambió',
    deletion_requested: 'la persona pidió la eliminación',
    ended_by_owner: 'la persona la terminó en Mi cuenta',
    consent_withdrawn: 'la persona retiró su consentimiento',
    acting_stopped: 'quien actuaba en nombre de la persona paró',
    acting_expired: 'terminaron los 15 minutos en nombre de la persona',
  },
  mails: {
    confirm_address: 'confirmar la dirección',
    account_exists: 'ya existe una cuenta',
    reset_password: 'nueva contraseña',
    password_changed: 'la contraseña cambió',
    passkey_added: 'llave de acceso añadida',
    passkey_removed: 'llave de acceso eliminada',
    second_factor_on: 'segundo paso activado',
    second_factor_off: 'segundo paso desactivado',
    factors_removed: 'formas de confirmación eliminadas por la operación',
    recovery_code_used: 'código de recuperación usado',
    confirm_new_address: 'confirmar la nueva dirección',
    address_changed: 'la dirección cambió',
    new_device: 'inicio de sesión en un dispositivo nuevo',
    invitation: 'invitación',
    identity_linked: 'cuenta vinculada',
    identity_unlinked: 'cuenta desvinculada',
    account_taken_over: 'la cuenta pasó a quien probó la dirección',
    acted_for: 'el soporte actuó por la persona',
    deletion_requested: 'eliminación pedida',
    account_deleted: 'cuenta eliminada',
  },
}

/** A person's story, by the API's words for what happens. */
export const timelineTexts = defineTexts({ 'pt-BR': ptBR, en, es })
