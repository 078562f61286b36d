// The nested types of the interfaces, by the names that their Qt annotations give them.

#pragma once

#include <QtDBus>

/// A row, as GetRows returns it.
struct DragboardRow {
    QString id, preview;
    QStringList types;
    QVariantMap attributes;
};

/// A section of a snapshot: its name, and the ids of its rows.
struct DragboardSection {
    QString name;
    QStringList rows;
};

/// A change of a board.
struct DragboardChange {
    QString kind, id;
    uint fromSection, fromRow, toSection, toRow;
};

/// A board that can be restored: its name, number of rows, and time of deletion.
struct DragboardDeletedBoard {
    QString name;
    uint rows;
    qulonglong deleted;
};

/// A row that FindRows finds, with its place.
struct DragboardFoundRow {
    uint section, index;
    QString id, preview;
    QStringList types;
    QVariantMap attributes;
};

/// A representation for InsertItem: its type and its bytes.
struct DragboardRepresentation {
    QString type;
    QDBusVariant content;
};

/// An edit for ApplyEdits.
struct DragboardEdit {
    QString kind, item;
    uint section, row;
    QVariantMap attributes;
    QList<DragboardRepresentation> representations;
};

using DragboardEditList = QList<DragboardEdit>;
using DragboardDeletedBoardList = QList<DragboardDeletedBoard>;
using DragboardRepresentationList = QList<DragboardRepresentation>;
using DragboardRowList = QList<DragboardRow>;
using DragboardFoundRowList = QList<DragboardFoundRow>;
using DragboardSectionList = QList<DragboardSection>;
using DragboardChangeList = QList<DragboardChange>;
/// The limits of the daemon by their names.
using DragboardLimits = QMap<QString, qulonglong>;
Q_DECLARE_METATYPE(DragboardDeletedBoard)
Q_DECLARE_METATYPE(DragboardRepresentation)
Q_DECLARE_METATYPE(DragboardEdit)
Q_DECLARE_METATYPE(DragboardRow)
Q_DECLARE_METATYPE(DragboardFoundRow)
Q_DECLARE_METATYPE(DragboardSection)
Q_DECLARE_METATYPE(DragboardChange)

inline QDBusArgument &operator<<(QDBusArgument &out, const DragboardRow &row) {
    out.beginStructure();
    out << row.id << row.preview << row.types << row.attributes;
    out.endStructure();
    return out;
}

inline const QDBusArgument &operator>>(const QDBusArgument &in, DragboardRow &row) {
    in.beginStructure();
    in >> row.id >> row.preview >> row.types >> row.attributes;
    in.endStructure();
    return in;
}

inline QDBusArgument &operator<<(QDBusArgument &out, const DragboardFoundRow &row) {
    out.beginStructure();
    out << row.section << row.index << row.id << row.preview << row.types << row.attributes;
    out.endStructure();
    return out;
}

inline const QDBusArgument &operator>>(const QDBusArgument &in, DragboardFoundRow &row) {
    in.beginStructure();
    in >> row.section >> row.index >> row.id >> row.preview >> row.types >> row.attributes;
    in.endStructure();
    return in;
}

inline QDBusArgument &operator<<(QDBusArgument &out, const DragboardDeletedBoard &board) {
    out.beginStructure();
    out << board.name << board.rows << board.deleted;
    out.endStructure();
    return out;
}

inline const QDBusArgument &operator>>(const QDBusArgument &in, DragboardDeletedBoard &board) {
    in.beginStructure();
    in >> board.name >> board.rows >> board.deleted;
    in.endStructure();
    return in;
}

inline QDBusArgument &operator<<(QDBusArgument &out, const DragboardRepresentation &representation) {
    out.beginStructure();
    out << representation.type << representation.content;
    out.endStructure();
    return out;
}

inline const QDBusArgument &operator>>(const QDBusArgument &in, DragboardRepresentation &representation) {
    in.beginStructure();
    in >> representation.type >> representation.content;
    in.endStructure();
    return in;
}

inline QDBusArgument &operator<<(QDBusArgument &out, const DragboardEdit &edit) {
    out.beginStructure();
    out << edit.kind << edit.item << edit.section << edit.row << edit.attributes
        << edit.representations;
    out.endStructure();
    return out;
}

inline const QDBusArgument &operator>>(const QDBusArgument &in, DragboardEdit &edit) {
    in.beginStructure();
    in >> edit.kind >> edit.item >> edit.section >> edit.row >> edit.attributes
        >> edit.representations;
    in.endStructure();
    return in;
}

inline QDBusArgument &operator<<(QDBusArgument &out, const DragboardSection &section) {
    out.beginStructure();
    out << section.name << section.rows;
    out.endStructure();
    return out;
}

inline const QDBusArgument &operator>>(const QDBusArgument &in, DragboardSection &section) {
    in.beginStructure();
    in >> section.name >> section.rows;
    in.endStructure();
    return in;
}

inline QDBusArgument &operator<<(QDBusArgument &out, const DragboardChange &change) {
    out.beginStructure();
    out << change.kind << change.id << change.fromSection << change.fromRow << change.toSection
        << change.toRow;
    out.endStructure();
    return out;
}

inline const QDBusArgument &operator>>(const QDBusArgument &in, DragboardChange &change) {
    in.beginStructure();
    in >> change.kind >> change.id >> change.fromSection >> change.fromRow >> change.toSection
        >> change.toRow;
    in.endStructure();
    return in;
}

/// Registers the types with QtDBus; a program does so before its first call.
inline void registerDragboardTypes() {
    qDBusRegisterMetaType<DragboardDeletedBoard>();
    qDBusRegisterMetaType<DragboardDeletedBoardList>();
    qDBusRegisterMetaType<DragboardRepresentation>();
    qDBusRegisterMetaType<DragboardRepresentationList>();
    qDBusRegisterMetaType<DragboardEdit>();
    qDBusRegisterMetaType<DragboardEditList>();
    qDBusRegisterMetaType<DragboardRow>();
    qDBusRegisterMetaType<DragboardRowList>();
    qDBusRegisterMetaType<DragboardFoundRow>();
    qDBusRegisterMetaType<DragboardFoundRowList>();
    qDBusRegisterMetaType<DragboardSection>();
    qDBusRegisterMetaType<DragboardSectionList>();
    qDBusRegisterMetaType<DragboardChange>();
    qDBusRegisterMetaType<DragboardChangeList>();
    qDBusRegisterMetaType<DragboardLimits>();
}
