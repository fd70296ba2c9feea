import { defineTexts } from '../i18n/use-texts.ts'

/** Why a sign-in was refused, by the service's word. An unknown word is shown as it is. */
export const failureTexts = defineTexts<Record<string, string>>({
  'pt-BR': {
    wrong_credentials: 'E-mail ou senha errados',
    too_many_attempts: 'Tentativas demais',
    busy: 'Servidor ocupado demais',
    wrong_passkey: 'Passkey não aceita',
    wrong_code: 'Código de verificação errado',
    provider_failed: 'O provedor respondeu com erro',
    provider_unreachable: 'O provedor não respondeu',
    provider_not_recent: 'A entrada no provedor era antiga',
    provider_no_address: 'O provedor não informou um e-mail',
    provider_disabled: 'Entrada por um provedor em conta bloqueada',
    earlier: 'Contadas antes de haver motivos',
  },
  en: {
    wrong_credentials: 'Wrong email or password',
    too_many_attempts: 'Too many attempts',
    busy: 'The server was too busy',
    wrong_passkey: 'Passkey not accepted',
    wrong_code: 'Wrong verification code',
    provider_failed: 'The provider answered with an error',
    provider_unreachable: 'The provider did not answer',
    provider_not_recent: 'The sign-in at the provider was old',
    provider_no_address: 'The provider gave no email address',
    provider_disabled: 'Sign-in through a provider to a locked account',
    earlier: 'Counted before there were reasons',
  },
  es: {
    wrong_credentials: 'Correo o contraseña incorrectos',
    too_many_attempts: 'Demasiados intentos',
    busy: 'Servidor demasiado ocupado',
    wrong_passkey: 'Passkey no aceptada',
    wrong_code: 'Código de verificación incorrecto',
    provider_failed: 'El proveedor respondió con un error',
    provider_unreachable: 'El proveedor no respondió',
    provider_not_recent: 'El inicio de sesión en el proveedor era antiguo',
    provider_no_address: 'El proveedor no dio un correo',
    provider_disabled: 'Inicio de sesión por un proveedor en una cuenta bloqueada',
    earlier: 'Contados antes de que hubiera motivos',
  },
})
