import { defineTexts } from '../../i18n/use-texts.ts'

/** Changes of a user's data, by the operator and by the users themselves. */
export const profileActions = defineTexts({
  'pt-BR': {
    'user.change': 'Pessoa alterada',
    'user.complete_profile': 'Perfil completado',
    'user.correct': 'Dados corrigidos',
    'user.change_picture': 'Foto trocada pela própria pessoa',
    'user.correct_tax_id': 'CPF ou CNPJ corrigido pela própria pessoa',
    'user.edit_profile': 'Dados alterados pela própria pessoa',
    'user.enter_tax_id': 'CPF ou CNPJ informado',
  },
  en: {
    'user.change': 'User changed',
    'user.complete_profile': 'Profile completed',
    'user.correct': 'Details corrected',
    'user.change_picture': 'Picture changed by the user',
    'user.correct_tax_id': 'CPF or CNPJ corrected by the user',
    'user.edit_profile': 'Profile edited by the user',
    'user.enter_tax_id': 'CPF or CNPJ entered',
  },
  es: {
    'user.change': 'Persona cambiada',
    'user.complete_profile': 'Perfil completado',
    'user.correct': 'Datos corregidos',
    'user.change_picture': 'Foto cambiada por la propia persona',
    'user.correct_tax_id': 'CPF o CNPJ corregido por la propia persona',
    'user.edit_profile': 'Datos cambiados por la propia persona',
    'user.enter_tax_id': 'CPF o CNPJ indicado',
  },
})
