import type { createMailboxPtBR } from './pt-br.ts'

export function createMailboxEs(service: string) {
  return {
    confirm_address: {
      subject: 'Confirma tu correo',
      title: 'Confirma tu correo',
      lead: 'Solo falta esto para crear tu cuenta. Escribe este código en la página donde te registraste:',
      orButton: 'O, si lo prefieres, confirma aquí:',
      button: 'Confirmar correo',
      validity: (time: string) => `El código y el botón son válidos por ${time}.`,
      notYou: 'Si no fuiste tú quien se registró, no confirmes. Sin la confirmación nadie puede usar este correo.',
      why: `Recibiste este correo porque alguien indicó tu dirección al crear una cuenta en ${service}.`,
    },
    account_exists: {
      subject: `Ya tienes una cuenta en ${service}`,
      title: 'Ya tienes una cuenta',
      lead: 'Alguien intentó crear una cuenta con este correo, pero ya existe. Si fuiste tú, solo tienes que entrar.',
      button: 'Entrar en mi cuenta',
      orRecover: '¿No recuerdas la contraseña?',
      recover: 'Crear una contraseña nueva',
      notYou: 'Si no fuiste tú, no tienes que hacer nada. Nada cambió en tu cuenta.',
      why: `Recibiste este correo porque alguien indicó tu dirección al crear una cuenta en ${service}.`,
    },
    reset_password: {
      subject: 'Crea una contraseña nueva',
      title: 'Crea una contraseña nueva',
      lead: 'Recibimos una solicitud para cambiar la contraseña de tu cuenta.',
      button: 'Crear contraseña nueva',
      validity: (time: string) =>
        `El botón funciona una sola vez y es válido por ${time}. Al cambiar la contraseña, se cierra tu sesión en los demás dispositivos.`,
      notYou: 'Si no fuiste tú, ignora este correo: tu contraseña sigue igual.',
      why: 'Recibiste este correo porque alguien pidió una contraseña nueva para la cuenta con tu dirección.',
    },
    invitation: {
      subject: `Tu cuenta en ${service} está lista`,
      title: 'Tu cuenta está lista',
      lead: `Crearon una cuenta para ti en ${service}, una sola para todas las apps. Para empezar, elige tu contraseña.`,
      button: 'Elegir mi contraseña',
      validity: (time: string) => `La invitación funciona una sola vez y es válida por ${time}.`,
      notYou: 'Si no esperabas esta invitación, ignora este correo.',
      why: `Recibiste este correo porque quien administra ${service} creó una cuenta con tu dirección.`,
    },
    confirm_new_address: {
      subject: 'Confirma tu nuevo correo',
      title: 'Confirma tu nuevo correo',
      lead: 'Para usar este correo en tu cuenta, confirma que es tuyo:',
      button: 'Confirmar nuevo correo',
      validity: (time: string) => `El botón es válido por ${time}. Hasta entonces, tu cuenta sigue con el correo anterior.`,
      notYou: 'Si no fuiste tú quien pidió el cambio, no confirmes: este correo no se usará.',
      why: `Recibiste este correo porque alguien indicó tu dirección como el nuevo correo de una cuenta en ${service}.`,
    },
    confirm_own_address: {
      subject: 'Confirma el correo de tu cuenta',
      title: 'Confirma el correo de tu cuenta',
      lead: 'Para que lo comprado con este correo aparezca en tu cuenta, confirma que es tuyo:',
      button: 'Confirmar correo',
      validity: (time: string) => `El botón es válido por ${time}.`,
      notYou: 'Si no fuiste tú quien lo pidió, no confirmes: sin la confirmación nada cambia.',
      why: `Recibiste este correo porque alguien con una cuenta en ${service} pidió confirmar tu dirección.`,
    },
    address_changed: {
      subject: 'El correo de tu cuenta cambió',
      title: 'El correo de tu cuenta cambió',
      lead: 'Desde ahora tu cuenta usa otro correo, y con este ya no se entra en ella. Si fuiste tú, no tienes que hacer nada.',
      button: 'No fui yo: proteger la cuenta',
      notYou: 'Si no fuiste tú, avísanos ahora, para que la cuenta quede protegida.',
      why: `Recibiste este correo porque esta era la dirección de tu cuenta en ${service}.`,
    },
  } satisfies ReturnType<typeof createMailboxPtBR>
}
