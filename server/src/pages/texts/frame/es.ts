import type { framePtBR } from './pt-br.ts'

export const frameEs: typeof framePtBR = {
  error: 'Error',
  description: (name: string) => `${name}: una sola cuenta para todas las apps.`,
  languages: 'Idioma',
  support: 'Soporte',
  terms: 'Términos de uso',
  privacy: 'Privacidad',
  password: { show: 'Mostrar', hide: 'Ocultar', what: 'contraseña' },
  requestId: 'Si necesitas ayuda, indica este código:',
  goHome: 'Ir al inicio',
  tryAgain: 'Intentar de nuevo',
  impersonation: {
    label: 'En nombre de otra persona',
    as: (name: string) => `Actúas en nombre de ${name}`,
    by: (name: string) => `Quien actúa: ${name}`,
    until: (time: string) => `Hasta las ${time}, hora de Brasilia`,
    stop: 'Parar y volver a la consola',
  },
  badRequest: {
    title: 'No entendimos esta solicitud',
    message: 'La dirección o los datos llegaron incompletos. Vuelve a la página anterior e inténtalo de nuevo.',
  },
  forbidden: {
    title: 'No pudimos aceptar esta solicitud',
    message: 'No vino de una página nuestra. Vuelve, recarga la página e inténtalo de nuevo.',
  },
  notFound: {
    title: 'Página no encontrada',
    message: 'Revisa la dirección o vuelve a la app de la que viniste.',
  },
  tooLarge: {
    title: 'El envío es demasiado grande',
    message: 'Vuelve, acorta lo que escribiste y envíalo de nuevo.',
  },
  tooMany: {
    title: 'Demasiadas solicitudes seguidas',
    message: 'Hicimos una pausa de hasta una hora para evitar abusos. Inténtalo de nuevo más tarde, o entra con tu contraseña.',
  },
  fault: {
    title: 'Algo salió mal de nuestro lado',
    message: 'El problema quedó registrado y no es culpa tuya. Inténtalo de nuevo en unos minutos.',
  },
  consoleNotBuilt: {
    title: 'La consola aún no se ha construido',
    message: 'Quien opera el servicio debe ejecutar npm run build en su carpeta; después, recarga esta página.',
  },
  moving: {
    title: 'Volvemos en unos minutos',
    message: 'Nos estamos mudando y nada se pierde. Si ya entraste, tus apps siguen funcionando; para entrar, espera unos minutos.',
  },
  away: {
    title: 'Estamos fuera de servicio por un momento',
    message: 'No se perdió nada. Espera un minuto y recarga la página.',
  },
}
