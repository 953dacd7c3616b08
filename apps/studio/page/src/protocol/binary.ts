// SPDX-License-Identifier: Apache-2.0
// Binary messages: a JSON header, and arrays of 32-bit numbers that it describes.

export interface ArrayPlace {
    readonly type: 'f32' | 'u32';
    readonly offset: number;
    readonly length: number;
}

export interface BinaryMessage {
    readonly header: Readonly<Record<string, unknown>>;
    readonly payload: ArrayBuffer;
    readonly start: number;
}

export function decodeBinary(payload: ArrayBuffer): BinaryMessage {
    const length = new DataView(payload).getUint32(0, true);
    const text = new TextDecoder().decode(new Uint8Array(payload, 4, length));
    return { header: JSON.parse(text) as Record<string, unknown>, payload, start: 4 + length };
}

/** A view into the message, not a copy. */
export function floats(message: BinaryMessage, place: unknown): Float32Array<ArrayBuffer> {
    const { offset, length } = place as ArrayPlace;
    return new Float32Array(message.payload, message.start + offset, length);
}

/** A view into the message, not a copy. */
export function integers(message: BinaryMessage, place: unknown): Uint32Array<ArrayBuffer> {
    const { offset, length } = place as ArrayPlace;
    return new Uint32Array(message.payload, message.start + offset, length);
}

export interface FieldValues {
    readonly values: Float32Array<ArrayBuffer>;
    readonly unit: string;
    readonly minimum: number;
    readonly maximum: number;
}

export interface FrameBody {
    readonly body: number;
    readonly positions: Float32Array<ArrayBuffer> | null;
    readonly fields: ReadonlyMap<string, FieldValues>;
}

export interface Frame {
    readonly frame: number;
    readonly time: number;
    readonly state: number;
    readonly bodies: readonly FrameBody[];
}

interface RawField {
    readonly values: ArrayPlace;
    readonly unit?: string;
    readonly minimum?: number;
    readonly maximum?: number;
}

interface RawBody {
    readonly body: number;
    readonly positions?: ArrayPlace;
    readonly fields?: Readonly<Record<string, RawField>>;
}

function decodeFields(message: BinaryMessage, raw: RawBody['fields']): Map<string, FieldValues> {
    const fields = new Map<string, FieldValues>();
    for (const [name, field] of Object.entries(raw ?? {})) {
        fields.set(name, {
            values: floats(message, field.values),
            unit: field.unit ?? '',
            minimum: field.minimum ?? 0,
            maximum: field.maximum ?? 1,
        });
    }
    return fields;
}

export function decodeFrame(message: BinaryMessage): Frame {
    const { frame, time, state, bodies } = message.header;
    return {
        frame: Number(frame ?? 0),
        time: Number(time ?? 0),
        state: Number(state ?? 0),
        bodies: ((bodies ?? []) as readonly RawBody[]).map((raw) => ({
            body: raw.body,
            positions: raw.positions ? floats(message, raw.positions) : null,
            fields: decodeFields(message, raw.fields),
        })),
    };
}
