import type { signUpPtBR } from './pt-br.ts'

export const signUpEs = {
  signUp: {
    consent: {
      before: 'Al crear la cuenta aceptas los ',
      terms: 'términos de uso',
      and: ' y la ',
      privacy: 'política de privacidad',
      after: '.',
    },
    title: 'Crea tu cuenta',
    lead: 'Una sola cuenta para todas las apps.',
    leadFor: (product: string) => `Para entrar en ${product}. Una sola cuenta para todas las apps.`,
    name: 'Tu nombre',
    submit: 'Crear cuenta',
    haveAccount: '¿Ya tienes cuenta?',
    nameErrors: {
      required: 'Escribe tu nombre.',
      invalid: 'Escribe tu nombre solo con letras.',
      too_long: 'Este nombre es demasiado largo. Usa hasta 100 letras.',
    },
  },
  checkMail: {
    title: 'Revisa tu correo',
    lead: 'Enviamos un mensaje a',
    leadCode: 'Escribe aquí el código de 6 dígitos que trae.',
    code: 'Código de 6 dígitos',
    submit: 'Confirmar',
    linkToo: 'El botón del mensaje también funciona, en lugar del código.',
    lookInSpam: '¿No llegó? Espera un minuto y mira también en spam.',
    haveAccount: 'Si ya tienes cuenta, el mensaje dice cómo entrar, sin código.',
    wrongAddress: '¿Correo equivocado o no llegó nada?',
    beginAgain: 'Empezar de nuevo',
    wrongCode: 'Código incorrecto',
    wrongCodeAdvice: 'Revisa el código en el mensaje más reciente y escríbelo de nuevo.',
    asFile: 'Ningún correo salió de aquí',
    asFileAdvice: (folder: string) =>
      `Sin PORTARIA_SMTP_URL, cada mensaje es un archivo en ${folder}, en la carpeta de Portaria. Abre el más nuevo: tiene el código y el enlace.`,
    codeExpired: 'Este código ya no es válido',
    codeGoneAdvice: 'Se agotó el tiempo, ya se usó o se escribió mal muchas veces. Empieza de nuevo para recibir otro.',
    confirmedAlready: '¿Ya confirmaste con el botón del mensaje?',
  },
  verify: {
    title: 'Confirma tu correo',
    lead: 'Un toque más y tu cuenta queda lista.',
    leadPassword:
      'Este no es el navegador en el que creaste la cuenta. Para asegurarnos de que eres tú, escribe la contraseña que elegiste.',
    password: 'Contraseña que elegiste',
    submit: 'Confirmar y entrar',
    wrongPasswordAdvice: 'Escribe la contraseña que elegiste al crear la cuenta.',
    tooManyAttemptsAdvice:
      'Por tu seguridad hicimos una pausa de hasta una hora. Abre el enlace en el navegador en el que creaste la cuenta, o créala de nuevo.',
    notYou: '¿No creaste esta cuenta? Cierra esta página: sin la confirmación no pasa nada.',
    elsewhereTitle: 'Ábrelo en el otro navegador',
    elsewhereLead: 'Empezaste en otro navegador o dispositivo. Abre este enlace allí, o escribe allí el código del mensaje.',
  },
} satisfies typeof signUpPtBR
