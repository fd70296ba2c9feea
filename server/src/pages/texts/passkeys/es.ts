import type { passkeysPtBR } from './pt-br.ts'

export const passkeysEs: typeof passkeysPtBR = {
  passkeySignIn: {
    submit: 'Entrar con passkey',
    cancelled: 'No se eligió nada. Inténtalo de nuevo o entra con tu contraseña.',
    failed: 'No funcionó con la passkey. Inténtalo de nuevo o entra con tu contraseña.',
    refused: 'Esta passkey no fue aceptada',
    refusedAdvice:
      'Puede que se haya quitado de la cuenta, o la página estuvo abierta demasiado tiempo. Inténtalo de nuevo o entra de otra forma.',
  },
  passkeys: {
    title: 'Tus passkeys',
    lead: 'Con una passkey entras en tu cuenta usando el dedo, la cara o el PIN de tu dispositivo. No hay nada que escribir, ni que alguien pueda adivinar o robar con un sitio falso.',
    list: 'Passkeys de esta cuenta',
    none: 'Todavía no tienes ninguna.',
    made: (day: string) => `Creada el ${day}`,
    used: (day: string) => `Usada el ${day}`,
    neverUsed: 'Aún sin usar',
    copied: 'Sincronizada entre tus dispositivos',
    change: 'Cambiar',
    changeNamed: (name: string) => `Cambiar ${name}`,
    changeTitle: 'Cambiar passkey',
    back: 'Volver a tus passkeys',
    name: 'Nombre',
    save: 'Guardar nombre',
    remove: 'Quitar passkey',
    removeAdvice:
      'Si la quitas, ya no da acceso a la cuenta, y se cierra la sesión en los navegadores que entraron con ella, menos en este. Bórrala también en el dispositivo.',
    addTitle: 'Nueva passkey',
    addHint: 'Para que reconozcas el dispositivo después.',
    add: 'Crear passkey',
    needsScript: 'Para crear una passkey, abre esta página en un navegador que conozca las passkeys, con JavaScript activado.',
    cancelled: 'No se creó nada. Inténtalo de nuevo cuando quieras.',
    known: 'Este dispositivo ya tiene una passkey de esta cuenta.',
    failed: 'No funcionó. Inténtalo de nuevo en unos minutos.',
    added: 'Passkey creada',
    addedAdvice: 'La próxima vez, entra con ella. Te avisamos por correo.',
    renamed: 'Nombre guardado',
    renamedAdvice: 'Así aparece aquí.',
    removed: 'Passkey quitada',
    removedAdvice:
      'Ya no da acceso a la cuenta, y se cerró la sesión en los otros navegadores que entraron con ella. Te avisamos por correo.',
    problems: {
      not_accepted: { title: 'La passkey no se creó', advice: 'La solicitud tardó demasiado o ya se usó. Inténtalo de nuevo.' },
      too_many: { title: 'Tu cuenta ya tiene 20 passkeys', advice: 'Quita una que ya no uses antes de crear otra.' },
      known: { title: 'Este dispositivo ya tiene una passkey', advice: 'Nada cambió: usa la que ya tienes.' },
      last_sign_in_method: {
        title: 'Esta es tu única forma de entrar',
        advice: 'Crea una contraseña u otra passkey antes de quitar esta.',
      },
      gone: { title: 'Esta passkey ya no existe', advice: 'Ya se había quitado. Nada más cambió.' },
      too_many_attempts: { title: 'Demasiadas solicitudes', advice: 'Para evitar abusos, hicimos una pausa. Inténtalo más tarde.' },
    },
  },
}
