// SPDX-License-Identifier: Apache-2.0
import { decodeBinary, type BinaryMessage } from './binary';

/** The server's sentence. */
export class ServerError extends Error {
    constructor(message: string, readonly kind: string) {
        super(message);
    }
}

export type Arguments = Readonly<Record<string, unknown>>;
export type Said = Readonly<Record<string, unknown>>;

interface Waiting {
    readonly resolve: (answer: Said | BinaryMessage) => void;
    readonly reject: (error: Error) => void;
}

export interface ConnectionEvents {
    opened(): void;
    lost(): void;
    event(name: string, content: Said): void;
}

const kRetryMilliseconds = 1000;

/** The socket: requests with their answers, events, and a new try when the server has gone. */
export class Connection {
    private socket: WebSocket | null = null;
    private lastId = 0;
    private readonly waiting = new Map<number, Waiting>();

    constructor(private readonly url: string, private readonly events: ConnectionEvents) {
        this.connect();
    }

    /** Asks, and waits for a JSON answer. */
    async ask<T = Said>(name: string, args: Arguments = {}): Promise<T> {
        return (await this.send(name, args)) as T;
    }

    /** Asks for arrays; null where the server had none to send (`same`, `skipped`). */
    async askBinary(name: string, args: Arguments = {}): Promise<BinaryMessage | null> {
        const answer = await this.send(name, args);
        return 'payload' in answer ? (answer as BinaryMessage) : null;
    }

    private send(name: string, args: Arguments): Promise<Said | BinaryMessage> {
        return new Promise((resolve, reject) => {
            if (this.socket?.readyState !== WebSocket.OPEN) {
                reject(new ServerError('The studio\'s server does not answer.', 'lost'));
                return;
            }
            const id = ++this.lastId;
            this.waiting.set(id, { resolve, reject });
            this.socket.send(JSON.stringify({ id, do: name, ...args }));
        });
    }

    private connect(): void {
        const socket = new WebSocket(this.url);
        socket.binaryType = 'arraybuffer';
        socket.addEventListener('open', () => this.events.opened());
        socket.addEventListener('message', (message) => this.receive(message.data));
        socket.addEventListener('close', () => this.close());
        this.socket = socket;
    }

    private close(): void {
        for (const { reject } of this.waiting.values()) {
            reject(new ServerError('The connection to the studio\'s server was lost.', 'lost'));
        }
        this.waiting.clear();
        this.events.lost();
        setTimeout(() => this.connect(), kRetryMilliseconds);
    }

    private receive(data: unknown): void {
        if (data instanceof ArrayBuffer) {
            const message = decodeBinary(data);
            this.take(Number(message.header['id']))?.resolve(message);
            return;
        }
        const said = JSON.parse(String(data)) as Record<string, unknown>;
        if (typeof said['event'] === 'string') {
            this.events.event(said['event'], said);
            return;
        }
        this.answer(said);
    }

    private answer(said: Said): void {
        const waiting = this.take(Number(said['id']));
        const error = said['error'] as { message: string; kind: string } | undefined;
        if (error) waiting?.reject(new ServerError(error.message, error.kind));
        else waiting?.resolve((said['ok'] ?? {}) as Said);
    }

    private take(id: number): Waiting | undefined {
        const waiting = this.waiting.get(id);
        this.waiting.delete(id);
        return waiting;
    }
}
