import type { recoveryPtBR } from './pt-br.ts'

export const recoveryEs = {
  recover: {
    title: '¿Olvidaste tu contraseña?',
    lead: 'Escribe el correo de tu cuenta y te enviaremos un enlace para crear una contraseña nueva.',
    submit: 'Enviar enlace',
    remembered: '¿La recordaste?',
  },
  recoverySent: {
    lead: 'Si existe una cuenta con',
    leadEnd: ', enviamos allí un enlace para crear una contraseña nueva. Es válido por 30 minutos.',
    otherAddress: '¿Todavía nada? Quizás tu cuenta usa otro correo.',
    back: 'Volver a entrar',
  },
  newPassword: {
    label: 'Contraseña nueva',
    reset_password: {
      title: 'Crea una contraseña nueva',
      lead: 'Al guardarla entras aquí y se cierra tu sesión en todos los demás dispositivos.',
      submit: 'Guardar y entrar',
    },
    invitation: {
      title: 'Elige tu contraseña',
      lead: 'Tu cuenta está lista, una sola para todas las apps. Solo falta la contraseña.',
      submit: 'Guardar y entrar',
    },
  },
  ticketExpired: {
    title: 'Este enlace ya no es válido',
    sign_up: {
      lead: 'Se agotó el tiempo o ya se usó. Crea la cuenta de nuevo: toma un minuto.',
      begin: 'Crear cuenta',
      already: '¿Ya confirmaste?',
    },
    reset_password: {
      lead: 'Es válido por 30 minutos y funciona una sola vez. Pide otro.',
      begin: 'Pedir otro enlace',
      already: '¿Ya cambiaste la contraseña?',
    },
    invitation: {
      lead: 'La invitación venció o ya se usó. Pide un enlace para crear tu contraseña.',
      begin: 'Pedir un enlace',
      already: '¿Ya tienes contraseña?',
    },
    report_sign_in: {
      lead: 'Se agotó el tiempo o ya se usó. Si algo aún te preocupa, crea una contraseña nueva.',
      begin: 'Crear una contraseña nueva',
      already: '¿Todo en orden?',
    },
    undo_deletion: {
      lead: 'Los 7 días pasaron, el enlace ya se usó, o la cuenta ya no se está eliminando.',
      begin: 'Entrar',
      already: '¿Ya volviste?',
    },
    change_email: {
      lead: 'Se agotó el tiempo, ya se usó o el correo ya no está libre. Pide otro enlace en tu cuenta.',
      begin: 'Abrir tu cuenta',
      already: '¿Ya confirmaste?',
    },
  },
} satisfies typeof recoveryPtBR
