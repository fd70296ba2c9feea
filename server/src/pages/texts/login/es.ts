import type { loginPtBR } from './pt-br.ts'

export const loginEs = {
  login: {
    title: 'Entrar en tu cuenta',
    titleFor: (product: string) => `Entrar en ${product}`,
    lead: 'Una sola cuenta para todas las apps.',
    leadFor: (name: string) => `Usa tu cuenta de ${name}, la misma en todas las apps.`,
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Entrar',
    emailMissing: 'Escribe tu correo electrónico.',
    passwordMissing: 'Escribe tu contraseña.',
    wrongCredentials: 'Correo o contraseña incorrectos',
    wrongCredentialsAdvice: 'Revisa los dos y escribe la contraseña de nuevo.',
    checkEmail: 'Revisa tu correo.',
    checkPassword: 'Escribe la contraseña de nuevo.',
    tooManyAttempts: 'Demasiados intentos seguidos',
    tooManyAttemptsAdvice: (wait: string) => `Hicimos una pausa para proteger tu cuenta. Inténtalo de nuevo en ${wait}.`,
    busy: 'Mucha gente está entrando ahora',
    busyAdvice: 'Espera unos segundos e inténtalo de nuevo.',
    fewMinutes: 'unos minutos',
    forgotten: 'Olvidé mi contraseña',
    noAccount: '¿Aún no tienes cuenta?',
    signUp: 'Crear cuenta',
    or: 'o',
    signInWith: (provider: string) => `Entrar con ${provider}`,
    notices: {
      provider_denied: {
        title: (provider: string) => `Cancelaste en ${provider}`,
        advice: () => 'Nada cambió. Inténtalo de nuevo o entra con tu contraseña.',
      },
      provider_unreachable: {
        title: (provider: string) => `${provider} no responde`,
        advice: () => 'Inténtalo de nuevo en unos minutos o entra con tu contraseña.',
      },
      provider_failed: {
        title: (provider: string) => `No pudimos entrar con ${provider}`,
        advice: () => 'La respuesta que llegó de allí no se pudo usar. Inténtalo de nuevo o entra con tu contraseña.',
      },
      provider_not_recent: {
        title: (provider: string) => `${provider} no confirmó que eres tú`,
        advice: (provider: string) =>
          `Este paso pide entrar otra vez, y la respuesta vino de un inicio de sesión anterior. Sal de tu cuenta en ${provider} e inténtalo de nuevo, o entra con tu contraseña.`,
      },
      provider_gave_no_address: {
        title: (provider: string) => `${provider} no compartió tu correo`,
        advice: (provider: string) =>
          `Lo necesitamos para abrir tu cuenta. Permite el correo en ${provider} e inténtalo de nuevo, o crea una cuenta aquí.`,
      },
      link_with_password: {
        title: () => 'Tu correo ya tiene una cuenta',
        advice: (provider: string) =>
          `Es el mismo correo que usas en ${provider}. Entra solo esta vez, con tu passkey si la cuenta la pide o si no con tu contraseña, y ${provider} quedará conectado a tu cuenta.`,
      },
      deletion_pending: {
        title: () => 'Esta cuenta se está eliminando',
        advice: () =>
          'Así lo pediste. Para conservar la cuenta, abre el enlace del correo que enviamos ese día: es válido por 7 días. ¿No lo encuentras? Habla con soporte.',
      },
      authenticate_again: {
        title: () => 'Confirma que eres tú',
        advice: () => 'Por seguridad, entra de nuevo para continuar.',
      },
      authenticate_with_passkey: {
        title: () => 'Confirma que eres tú',
        advice: () => 'Esta cuenta pide tu passkey: entra con ella para continuar.',
      },
      confirm_email: {
        title: () => 'Entra para confirmar el correo',
        advice: () => 'Usa el correo que la cuenta tiene hoy: uno nuevo solo vale cuando lo confirmes.',
      },
    },
  },
  otherUser: {
    title: '¿Con qué cuenta quieres seguir?',
    lead: 'Otra cuenta entró en este navegador mientras terminabas. Elige con cuál seguir.',
    signedInAs: 'Cuenta abierta ahora',
    expected: 'Cuenta con la que empezaste',
    continueAs: (name: string) => `Continuar como ${name}`,
    signInAgain: 'Entrar con otra cuenta',
    signInAgainAs: (name: string) => `Entrar como ${name}`,
  },
} satisfies typeof loginPtBR
