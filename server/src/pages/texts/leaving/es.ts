import type { leavingPtBR } from './pt-br.ts'

export const leavingEs = {
  ownData: {
    title: 'Descargar mis datos',
    lead: 'Un archivo JSON con todo lo que guardamos sobre ti.',
    holds: 'En el archivo:',
    items: [
      'tu perfil, con CPF o CNPJ completo, y cómo entras',
      'dónde has entrado, lo que aceptaste y lo que compraste',
      'avisos de pago sobre ti, correos enviados (tipo y fecha) y el registro de lo hecho en la cuenta',
    ],
    never: 'Las contraseñas y los códigos no están en él: de ellos solo guardamos lo que sirve para comprobarlos.',
    submit: 'Descargar el archivo',
    careful: 'Guárdalo bien: quien abra el archivo lo lee todo.',
  },
  ownDelete: {
    title: 'Eliminar la cuenta',
    lead: 'Tienes 7 días para arrepentirte. Después no hay vuelta atrás.',
    goingOn: 'Estos pagos no se detienen solos',
    goingOnAdvice: 'Eliminar la cuenta no cancela cobros. Antes cancela cada suscripción en la app donde compraste, o con quien la cobra.',
    consequences: 'Si continúas:',
    now: 'Tu cuenta se cierra ahora, y sales de todas las apps y navegadores.',
    mail: 'Enviamos un correo con un enlace que deshace la eliminación durante 7 días.',
    afterwards: 'Después de los 7 días se borran tus datos personales.',
    purchases:
      'Las compras y suscripciones no se cancelan: cancélalas antes con quien las vendió. De ellas solo quedan números, sin tu nombre.',
    typeAddress: 'Para confirmar, escribe el correo de la cuenta',
    mismatch: 'Este no es el correo de esta cuenta.',
    submit: 'Eliminar mi cuenta',
    lastOwner: 'Esta cuenta no se puede eliminar ahora',
    lastOwnerAdvice: 'Eres el único propietario de este servicio. Da antes esa función a otra persona.',
    doneTitle: 'Tu cuenta está cerrada',
    doneLead: 'Tus datos se borrarán el',
    doneMail: '¿Cambiaste de idea? El enlace del correo que acabamos de enviar deshace la eliminación hasta entonces. Lo enviamos a',
  },
  undoDeletion: {
    title: 'Conservar la cuenta',
    lead: 'Se pidió la eliminación de esta cuenta. Al deshacerla, la cuenta vuelve a ser como era.',
    submit: 'Deshacer la eliminación',
    notYou: '¿No fuiste tú quien lo pidió? Deshazlo, entra y cambia la contraseña.',
    doneTitle: 'Tu cuenta ha vuelto',
    doneLead: 'No se borró nada. Entra de nuevo para usar las apps.',
    signIn: 'Entrar',
  },
} satisfies typeof leavingPtBR
