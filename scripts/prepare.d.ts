export declare const home: string;
export declare function isWebStale(): boolean;
export declare function buildWeb(): void;
